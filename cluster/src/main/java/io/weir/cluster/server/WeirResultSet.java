package io.weir.cluster.server;

import java.math.BigDecimal;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Types;
import java.time.OffsetDateTime;
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
        return isTime(column) ? getString(column) : super.getObject(column);
    }

    @Override
    public <T> T getObject(String label, Class<T> type) throws SQLException {
        return getObject(findColumn(label), type);
    }

    /** As the getter of that type has it; of a time its text, or an OffsetDateTime of UTC. */
    @Override
    public <T> T getObject(int column, Class<T> type) throws SQLException {
        Object value = value(column, type);
        return wasNull() ? null : type.cast(value);
    }

    private Object value(int column, Class<?> type) throws SQLException {
        if (type == String.class) {
            return getString(column);
        } else if (type == Long.class) {
            return getLong(column);
        } else if (type == Integer.class) {
            return getInt(column);
        } else if (type == Double.class) {
            return getDouble(column);
        } else if (type == Boolean.class) {
            return getBoolean(column);
        } else if (type == BigDecimal.class) {
            return getBigDecimal(column);
        } else if (type == OffsetDateTime.class && isTime(column)) {
            String text = getString(column);
            return text == null ? null : OffsetDateTime.parse(text);
        }
        throw new SQLFeatureNotSupportedException(
                "column "
                        + column
                        + " ("
                        + getMetaData().getColumnTypeName(column)
                        + ") cannot be "
                        + type.getName()
                        + "; getString has its text");
    }

    private boolean isTime(int column) throws SQLException {
        return getMetaData().getColumnType(column) == Types.TIMESTAMP_WITH_TIMEZONE;
    }
}
