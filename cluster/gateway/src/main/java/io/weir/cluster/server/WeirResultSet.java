package io.weir.cluster.server;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.TimeZone;
import org.apache.calcite.avatica.AvaticaResultSet;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.QueryState;

/**
 * Avatica's rows with real times, and with numbers that are whole or an error. A time is a moment:
 * a calendar only chooses the zone of its date and time of day.
 */
final class WeirResultSet extends AvaticaResultSet {
    private final long mostRows;
    private final StatementSettings settings;
    private FetchedRows rows;

    WeirResultSet(
            AvaticaStatement statement,
            QueryState state,
            Meta.Signature signature,
            ResultSetMetaData metaData,
            TimeZone timeZone,
            Meta.Frame firstFrame)
            throws SQLException {
        super(statement, state, signature, metaData, timeZone, firstFrame);
        mostRows = statement.getLargeMaxRows();
        settings = ((StatementSettings.Holder) statement).settings();
    }

    @Override
    protected AvaticaResultSet execute() throws SQLException {
        String sql = state == null || state.sql == null ? "" : state.sql;
        WeirConnection connection = (WeirConnection) statement.getConnection();
        rows = new FetchedRows(connection, statement.handle, settings, sql, mostRows, firstFrame);
        return execute2(
                MetaImpl.createCursor(signature.cursorFactory, () -> rows), columnMetaDataList);
    }

    @Override
    public void close() {
        try {
            if (rows != null && !isClosed() && !statement.isClosed()) {
                rows.stop();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e); // Avatica's methods do not throw
        }
        super.close();
    }

    @Override
    public void setFetchSize(int most) throws SQLException {
        checkOpen();
        StatementSettings checked = new StatementSettings();
        checked.fetchRows(most);
        rows.fetchRows(checked.fetchRows());
    }

    @Override
    public int getFetchSize() throws SQLException {
        checkOpen();
        return rows.fetchRows();
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        checkOpen();
        StatementSettings.checkDirection(direction);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        checkOpen();
        return ResultSet.FETCH_FORWARD;
    }

    @Override
    public int getInt(int column) throws SQLException {
        return (int) whole(column, Integer.MIN_VALUE, Integer.MAX_VALUE, super.getInt(column));
    }

    @Override
    public int getInt(String label) throws SQLException {
        return getInt(findColumn(label));
    }

    @Override
    public short getShort(int column) throws SQLException {
        return (short) whole(column, Short.MIN_VALUE, Short.MAX_VALUE, super.getShort(column));
    }

    @Override
    public short getShort(String label) throws SQLException {
        return getShort(findColumn(label));
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return (byte) whole(column, Byte.MIN_VALUE, Byte.MAX_VALUE, super.getByte(column));
    }

    @Override
    public byte getByte(String label) throws SQLException {
        return getByte(findColumn(label));
    }

    /** Returns the value, if it fits. Avatica would drop its upper bits. */
    private long whole(int column, long least, long most, long otherwise) throws SQLException {
        int type = getMetaData().getColumnType(column);
        if (type != Types.BIGINT) {
            return otherwise;
        }
        long value = getLong(column);
        if (value < least || value > most) {
            throw new SQLDataException(
                    "column " + column + " has " + value + ": getLong has room for it", "22003");
        }
        return value;
    }

    @Override
    public Timestamp getTimestamp(int column) throws SQLException {
        if (!isTime(column)) {
            return super.getTimestamp(column);
        }
        Instant moment = moment(column);
        return moment == null ? null : Timestamp.from(moment);
    }

    @Override
    public Timestamp getTimestamp(String label) throws SQLException {
        return getTimestamp(findColumn(label));
    }

    @Override
    public Timestamp getTimestamp(int column, Calendar calendar) throws SQLException {
        return isTime(column) ? getTimestamp(column) : super.getTimestamp(column, calendar);
    }

    @Override
    public Timestamp getTimestamp(String label, Calendar calendar) throws SQLException {
        return getTimestamp(findColumn(label), calendar);
    }

    @Override
    public Date getDate(int column) throws SQLException {
        return getDate(column, localCalendar);
    }

    @Override
    public Date getDate(String label) throws SQLException {
        return getDate(findColumn(label));
    }

    @Override
    public Date getDate(int column, Calendar calendar) throws SQLException {
        if (!isTime(column)) {
            return super.getDate(column, calendar);
        }
        ZonedDateTime time = zoned(column, calendar);
        return time == null
                ? null
                : new Date(
                        time.toLocalDate().atStartOfDay(time.getZone()).toInstant().toEpochMilli());
    }

    @Override
    public Date getDate(String label, Calendar calendar) throws SQLException {
        return getDate(findColumn(label), calendar);
    }

    @Override
    public Time getTime(int column) throws SQLException {
        return getTime(column, localCalendar);
    }

    @Override
    public Time getTime(String label) throws SQLException {
        return getTime(findColumn(label));
    }

    @Override
    public Time getTime(int column, Calendar calendar) throws SQLException {
        if (!isTime(column)) {
            return super.getTime(column, calendar);
        }
        ZonedDateTime time = zoned(column, calendar);
        return time == null
                ? null
                : new Time(time.with(LocalDate.EPOCH).toInstant().toEpochMilli());
    }

    @Override
    public Time getTime(String label, Calendar calendar) throws SQLException {
        return getTime(findColumn(label), calendar);
    }

    private ZonedDateTime zoned(int column, Calendar calendar) throws SQLException {
        Instant moment = moment(column);
        TimeZone zone = (calendar == null ? localCalendar : calendar).getTimeZone();
        return moment == null ? null : moment.atZone(zone.toZoneId());
    }

    private Instant moment(int column) throws SQLException {
        String text = getString(column);
        return text == null ? null : Instant.parse(text);
    }

    /** A time is its text (ADR 0020). */
    @Override
    public Object getObject(int column) throws SQLException {
        return isTime(column) ? getString(column) : super.getObject(column);
    }

    @Override
    public Object getObject(String label) throws SQLException {
        return getObject(findColumn(label));
    }

    @Override
    public <T> T getObject(String label, Class<T> type) throws SQLException {
        return getObject(findColumn(label), type);
    }

    /**
     * Returns what the getter of that type does. For a time it also accepts java.time's types;
     * those without a zone are in UTC.
     */
    @Override
    public <T> T getObject(int column, Class<T> type) throws SQLException {
        Object value = isTime(column) ? time(column, type) : value(column, type);
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
        } else if (type == Object.class) {
            return getObject(column);
        }
        throw refused(column, type);
    }

    private Object time(int column, Class<?> type) throws SQLException {
        String text = getString(column);
        if (type == String.class || type == Object.class) {
            return text;
        } else if (type == Date.class) {
            return getDate(column);
        } else if (type == Time.class) {
            return getTime(column);
        }
        OffsetDateTime time = text == null ? null : OffsetDateTime.parse(text);
        Object value = time == null ? null : of(time, type);
        if (time != null && value == null) {
            throw refused(column, type);
        }
        return value;
    }

    private static Object of(OffsetDateTime time, Class<?> type) {
        if (type == OffsetDateTime.class) {
            return time;
        } else if (type == Timestamp.class || type == java.util.Date.class) {
            return Timestamp.from(time.toInstant());
        } else if (type == Instant.class) {
            return time.toInstant();
        } else if (type == ZonedDateTime.class) {
            return time.toZonedDateTime();
        } else if (type == LocalDateTime.class) {
            return time.toLocalDateTime();
        } else if (type == LocalDate.class) {
            return time.toLocalDate();
        }
        return type == LocalTime.class ? time.toLocalTime() : null;
    }

    private SQLException refused(int column, Class<?> type) throws SQLException {
        return new SQLFeatureNotSupportedException(
                "column "
                        + column
                        + " ("
                        + getMetaData().getColumnTypeName(column)
                        + ") cannot be "
                        + type.getName()
                        + "; getString has its text",
                JdbcErrors.NOT_SUPPORTED);
    }

    private boolean isTime(int column) throws SQLException {
        int count = getMetaData().getColumnCount();
        return column >= 1
                && column <= count
                && getMetaData().getColumnType(column) == Types.TIMESTAMP_WITH_TIMEZONE;
    }
}
