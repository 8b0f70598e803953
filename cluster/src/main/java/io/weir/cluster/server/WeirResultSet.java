package io.weir.cluster.server;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.QueryState;

/** Avatica's rows, whose times are objects too: it knows the type, and throws at its number. */
final class WeirResultSet extends AvaticaResultSet {
    WeirResultSet(
            AvaticaStatement statement,
            QueryState state,
            Meta.Signature signature,
            ResultSetMetaData metaData,
            TimeZone timeZone,
            Meta.Frame firstFrame)
            throws SQLException {
        super(statement, state, signature, metaData, timeZone, firstFrame);
    }

    /** A time is its text (ADR 0020). */
    @Override
    public Object getObject(int column) throws SQLException {
        return getMetaData().getColumnType(column) == Types.TIMESTAMP_WITH_TIMEZONE
                ? getString(column)
                : super.getObject(column);
    }
}
