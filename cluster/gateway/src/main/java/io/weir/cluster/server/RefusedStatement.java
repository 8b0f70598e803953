package io.weir.cluster.server;

import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.Meta;

/** The server's error for a statement that it does not prepare. */
final class RefusedStatement extends Meta.StatementHandle {
    private final AvaticaClientRuntimeException error;

    RefusedStatement(String connectionId, AvaticaClientRuntimeException error) {
        super(connectionId, 0, null);
        this.error = error;
    }

    /** Throws the server's error if it did not prepare the statement. */
    static void check(Meta.StatementHandle handle) throws SQLException {
        if (handle instanceof RefusedStatement refused) {
            throw JdbcErrors.of(refused.error);
        }
    }
}
