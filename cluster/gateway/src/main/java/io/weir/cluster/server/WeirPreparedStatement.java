package io.weir.cluster.server;

import java.sql.BatchUpdateException;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.calcite.avatica.AvaticaPreparedStatement;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * Avatica's prepared statement, corrected to JDBC. Times go to the server as text, so that they
 * keep their nanoseconds. A statement that the server has forgotten is prepared again.
 */
final class WeirPreparedStatement extends AvaticaPreparedStatement
        implements StatementSettings.Holder {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.nnnnnnnnn");

    private final StatementSettings settings = new StatementSettings();

    WeirPreparedStatement(
            WeirConnection connection,
            StatementHandle handle,
            Meta.Signature signature,
            int type,
            int concurrency,
            int holdability)
            throws SQLException {
        super(connection, handle, signature, type, concurrency, holdability);
    }

    @Override
    public StatementSettings settings() {
        return settings;
    }

    private WeirConnection ours() {
        return (WeirConnection) connection;
    }

    private <T> T executing(Callable<T> execution) throws SQLException {
        checkOpen();
        settings.begin();
        try {
            return ours().executing(settings, execution);
        } catch (SQLException e) {
            if (!(e.getCause() instanceof NoSuchStatementException)) {
                throw e;
            }
        }
        String sql = getSignature().sql;
        StatementHandle old = handle;
        handle = ours().prepared(sql);
        connection.statementMap.remove(old.id);
        connection.statementMap.put(handle.id, this);
        return ours().executing(settings, execution);
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        ResultSet rows = executing(super::executeQuery);
        if (rows == null) {
            throw new SQLException("Statement did not return a result set", "07005");
        }
        return rows;
    }

    @Override
    public boolean execute() throws SQLException {
        return executing(super::execute);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        if (!getSignature().columns.isEmpty()) {
            throw WeirConnection.hasRows();
        }
        return executing(super::executeLargeUpdate);
    }

    /** Each set of parameters is one request, so that the effects before a failure are known. */
    @Override
    public long[] executeLargeBatch() throws SQLException {
        checkOpen();
        long[] counts = new long[getParameterValueBatch().size()];
        getParameterValueBatch().clear();
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] = executeLargeUpdate(); // a statement with parameters has rows
            } catch (SQLException e) {
                long[] done = Arrays.copyOf(counts, i);
                throw new BatchUpdateException(
                        e.getMessage(), e.getSQLState(), e.getErrorCode(), done, e);
            }
        }
        return counts;
    }

    @Override
    public void setTimestamp(int parameter, Timestamp time, Calendar unused) throws SQLException {
        setObject(parameter, time);
    }

    @Override
    public void setTimestamp(int parameter, Timestamp time) throws SQLException {
        setObject(parameter, time);
    }

    @Override
    public void setObject(int parameter, Object value) throws SQLException {
        Optional<String> time = time(value);
        if (time.isPresent()) {
            setString(parameter, time.get());
        } else if (value == null) {
            setNull(parameter, Types.NULL);
        } else {
            super.setObject(parameter, value);
        }
    }

    @Override
    public void setObject(int parameter, Object value, int type) throws SQLException {
        if (value == null || time(value).isPresent()) {
            setObject(parameter, value);
        } else {
            super.setObject(parameter, value, type);
        }
    }

    /** Writes a time as the language does, in UTC; empty if the value is no time. */
    private static Optional<String> time(Object value) throws SQLException {
        if (value instanceof Date || value instanceof Time) {
            throw new SQLException("a date or a time of day is no time: give a Timestamp", "22018");
        } else if (value instanceof Timestamp timestamp) {
            return Optional.of(text(timestamp.toInstant()));
        } else if (value instanceof java.util.Date date) {
            return Optional.of(text(date.toInstant()));
        } else if (value instanceof Instant instant) {
            return Optional.of(text(instant));
        } else if (value instanceof OffsetDateTime time) {
            return Optional.of(text(time.toInstant()));
        } else if (value instanceof ZonedDateTime time) {
            return Optional.of(text(time.toInstant()));
        }
        return value instanceof LocalDateTime time
                ? Optional.of(time.format(TIME))
                : Optional.empty();
    }

    private static String text(Instant time) {
        return time.atOffset(ZoneOffset.UTC).format(TIME);
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        checkOpen();
        settings.timeoutSeconds(seconds);
    }

    @Override
    public int getQueryTimeout() throws SQLException {
        checkOpen();
        return settings.timeoutSeconds();
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        checkOpen();
        settings.fetchRows(rows);
    }

    @Override
    public int getFetchSize() throws SQLException {
        checkOpen();
        return settings.fetchRows();
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
    public void setMaxFieldSize(int most) throws SQLException {
        checkOpen();
        StatementSettings.checkFieldSize(most);
    }

    /** Avatica's method waits for a statement that is being executed. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void cancel() throws SQLException {
        checkOpen();
        settings.cancel();
    }
}
