package io.weir.cluster.server;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What Avatica says of every database and does not hold of Weir. */
final class WeirDatabaseMetaData extends AvaticaDatabaseMetaData {
    WeirDatabaseMetaData(AvaticaConnection connection) {
        super(connection);
    }

    /** Whether the user may change nothing, or does not want to. */
    @Override
    public boolean isReadOnly() throws SQLException {
        return getConnection().isReadOnly();
    }

    /** Of a server without users everybody is the same. */
    @Override
    public String getUserName() throws SQLException {
        return ((WeirConnection) getConnection()).userName();
    }

    @Override
    public boolean supportsResultSetHoldability(int holdability) {
        return holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT;
    }

    @Override
    public boolean storesUpperCaseIdentifiers() {
        return false;
    }

    /** Tools look for a table that was typed without quotes in the case that is stored. */
    @Override
    public boolean storesLowerCaseIdentifiers() {
        return true;
    }
}
