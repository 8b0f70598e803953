package io.weir.cluster.server;

import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;

/**
 * A client's settings for one statement, and whether it was cancelled. The statement's thread,
 * except {@link #cancel}.
 */
final class StatementSettings {
    /** The most rows that a server gives at one time. */
    static final int MOST_FETCHED = 1_000;

    private int timeoutSeconds;
    private int fetchRows = MOST_FETCHED;
    private volatile boolean cancelled;

    /** Null without a time-out. */
    private Deadline deadline;

    /** A statement with settings. */
    interface Holder {
        StatementSettings settings();
    }

    /** Begins the statement again: its time-out counts from here. */
    void begin() {
        cancelled = false;
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        deadline = timeoutSeconds > 0 ? Deadline.after(timeout, Clock.SYSTEM) : null;
    }

    /** Returns the time until the time-out; the longest time if there is none. */
    long restNs() {
        return deadline == null ? Long.MAX_VALUE : Math.max(0, deadline.leftNs());
    }

    /** Throws if the statement must not go on. */
    void check() throws SQLException {
        if (cancelled) {
            throw new SQLException("the statement was cancelled", JdbcErrors.CANCELLED);
        } else if (restNs() == 0) {
            throw JdbcErrors.of(timedOut(), JdbcErrors.CANCELLED, 0, null);
        }
    }

    String timedOut() {
        return "the statement ran longer than its time-out of " + timeoutSeconds + " s";
    }

    /** Cancels it; any thread. */
    void cancel() {
        cancelled = true;
    }

    int timeoutSeconds() {
        return timeoutSeconds;
    }

    void timeoutSeconds(int seconds) throws SQLException {
        if (seconds < 0) {
            throw wrong("a time-out of " + seconds + " s");
        }
        timeoutSeconds = seconds;
    }

    int fetchRows() {
        return fetchRows;
    }

    /**
     * Sets the rows at one time.
     *
     * @param rows 0 for the maximum; a larger number means the maximum
     */
    void fetchRows(int rows) throws SQLException {
        if (rows < 0) {
            throw wrong("a fetch of " + rows + " rows");
        }
        fetchRows = rows == 0 ? MOST_FETCHED : Math.min(rows, MOST_FETCHED);
    }

    static void checkDirection(int direction) throws SQLException {
        if (direction == ResultSet.FETCH_REVERSE || direction == ResultSet.FETCH_UNKNOWN) {
            throw new SQLFeatureNotSupportedException(
                    "rows come in their order only: FETCH_FORWARD", JdbcErrors.NOT_SUPPORTED);
        } else if (direction != ResultSet.FETCH_FORWARD) {
            throw wrong("the direction " + direction);
        }
    }

    static void checkFieldSize(int most) throws SQLException {
        if (most < 0) {
            throw wrong("a field of " + most + " bytes");
        } else if (most > 0) {
            throw new SQLFeatureNotSupportedException(
                    "values are never cut", JdbcErrors.NOT_SUPPORTED);
        }
    }

    private static SQLException wrong(String what) {
        return new SQLException(what + " cannot be", "HY024");
    }
}
