package io.weir.cluster.server;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** Corrects Avatica's facts about databases that are not true of Weir. */
final class WeirDatabaseMetaData extends AvaticaDatabaseMetaData {
    WeirDatabaseMetaData(AvaticaConnection connection) {
        super(connection);
    }

    /** Returns whether the user has no right to change, or does not want to. */
    @Override
    public boolean isReadOnly() throws SQLException {
        return getConnection().isReadOnly();
    }

    /** On a server without users, everybody is the same user. */
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

    /** Tools look for a table that was typed without quotes in the stored case. */
    @Override
    public boolean storesLowerCaseIdentifiers() {
        return true;
    }
}
