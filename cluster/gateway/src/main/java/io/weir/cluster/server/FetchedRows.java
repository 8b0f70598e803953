package io.weir.cluster.server;

import io.weir.operators.time.Stopwatch;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.avatica.Meta.Frame;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.MissingResultsException;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.avatica.QueryState;

/**
 * A result's rows on the client's side. It requests the next frame only when the next row is
 * wanted. A slow reader tells the server, while it reads, that it is alive. It fails with
 * SQLException, unchecked, because {@code ResultSet.next} declares it. One thread.
 */
final class FetchedRows implements Iterator<Object> {
    /** An offset that no row has. It means that the result is no longer wanted. */
    static final long NO_MORE = Long.MAX_VALUE;

    private static final long LONGEST_WAIT_MS = 1_000;

    private final WeirConnection connection;
    private final StatementHandle statement;
    private final StatementSettings settings;
    private final String sql;
    private final long mostRows;
    private Iterator<Object> rows;
    private int fetchRows;
    private boolean done;
    private long offset;
    private final Stopwatch silent = Stopwatch.started();

    /**
     * @param mostRows 0 for all
     * @param first null if none came with the answer
     */
    FetchedRows(
            WeirConnection connection,
            StatementHandle statement,
            StatementSettings settings,
            String sql,
            long mostRows,
            Frame first) {
        this.connection = connection;
        this.statement = statement;
        this.settings = settings;
        this.sql = sql;
        this.mostRows = mostRows <= 0 ? Long.MAX_VALUE : mostRows;
        rows = first == null ? Collections.emptyIterator() : first.rows.iterator();
        done = first != null && first.done;
        fetchRows = settings.fetchRows();
    }

    /** Fetches rows of a frame, from the next one on. */
    void fetchRows(int most) {
        fetchRows = most;
    }

    int fetchRows() {
        return fetchRows;
    }

    @Override
    public boolean hasNext() {
        if (offset >= mostRows) {
            stop();
            return false;
        }
        while (!rows.hasNext() && !done) {
            check();
            fetch();
        }
        return rows.hasNext();
    }

    private void check() {
        try {
            settings.check();
        } catch (SQLException e) {
            stop();
            throw unchecked(e);
        }
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        offset++;
        tellOfLife();
        return rows.next();
    }

    /** The server forgets silent clients. A slow reader must not be silent. */
    private void tellOfLife() {
        if (done || silent.ns() < TimeUnit.MILLISECONDS.toNanos(connection.idleMs()) / 4) {
            return;
        }
        try {
            connection.meta().syncResults(statement, new QueryState(sql), offset);
            silent.restart();
        } catch (NoSuchStatementException | RuntimeException e) {
            silent.restart(); // the next fetch reports the fault
        }
    }

    private void fetch() {
        long restMs = TimeUnit.NANOSECONDS.toMillis(settings.restNs()) + 1;
        long waitMs = Math.min(LONGEST_WAIT_MS, restMs);
        int most = (int) Math.min(fetchRows, mostRows - offset);
        try {
            Frame frame =
                    connection
                            .transport()
                            .waiting(
                                    waitMs, () -> connection.meta().fetch(statement, offset, most));
            silent.restart();
            rows = frame == null ? Collections.emptyIterator() : frame.rows.iterator();
            done = frame == null || frame.done;
        } catch (NoSuchStatementException | MissingResultsException e) {
            done = true;
            throw unchecked(new SQLException("the server has closed the statement", "24000", e));
        } catch (Exception e) {
            done = true;
            throw unchecked(JdbcErrors.of(e));
        }
    }

    /** Ends the result at the server, if it has not ended. A failure here has no effect. */
    void stop() {
        if (done) {
            return;
        }
        done = true;
        rows = Collections.emptyIterator();
        try {
            connection.meta().fetch(statement, NO_MORE, 1);
        } catch (NoSuchStatementException | MissingResultsException | RuntimeException e) {
            // The server no longer has it, or is gone.
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable error) throws E {
        throw (E) error;
    }
}
