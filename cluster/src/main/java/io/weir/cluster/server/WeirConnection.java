package io.weir.cluster.server;

import io.weir.sql.catalog.Streams;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaFactory;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.UnregisteredDriver;

/** Avatica's connection where it is not as JDBC says. */
final class WeirConnection extends AvaticaConnection {
    WeirConnection(
            UnregisteredDriver driver, AvaticaFactory factory, String url, Properties properties) {
        super(driver, factory, url, properties);
    }

    /** Avatica would leave statements open, and the first use of one make the connection anew. */
    @Override
    public void close() throws SQLException {
        for (AvaticaStatement statement : List.copyOf(statementMap.values())) {
            try {
                statement.close();
            } catch (SQLException | RuntimeException e) {
                // A server that is gone has closed it already.
            }
        }
        super.close();
    }

    /** Avatica would take any. */
    @Override
    public void setCatalog(String catalog) throws SQLException {
        if (catalog != null && !catalog.isEmpty()) {
            throw new SQLException("there are no catalogs, and so no " + catalog, "3D000");
        }
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        if (schema != null && !schema.equals(Streams.SCHEMA)) {
            throw new SQLException(
                    "the schema is "
                            + Streams.SCHEMA
                            + "; names of others are written with theirs,"
                            + " as sys.queries",
                    "3F000");
        }
    }

    @Override
    public void rollback() throws SQLException {
        throw new SQLFeatureNotSupportedException("there are no transactions to roll back");
    }

    /** One request for each, so that what was done before a failure is known. */
    @Override
    protected Meta.ExecuteBatchResult prepareAndUpdateBatch(
            AvaticaStatement statement, List<String> texts)
            throws NoSuchStatementException, SQLException {
        long[] counts = new long[texts.size()];
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] =
                        super.prepareAndUpdateBatch(statement, List.of(texts.get(i)))
                                .updateCounts[0];
            } catch (AvaticaClientRuntimeException e) {
                throw new BatchUpdateException(
                        e.getMessage(),
                        e.getSqlState(),
                        e.getErrorCode(),
                        Arrays.copyOf(counts, i),
                        e);
            }
        }
        return new Meta.ExecuteBatchResult(counts);
    }
}
