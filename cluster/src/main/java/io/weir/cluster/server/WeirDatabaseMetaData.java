package io.weir.cluster.server;

import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaDatabaseMetaData;

/** What Avatica says of every database and does not hold of Weir. */
final class WeirDatabaseMetaData extends AvaticaDatabaseMetaData {
    WeirDatabaseMetaData(AvaticaConnection connection) {
        super(connection);
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
