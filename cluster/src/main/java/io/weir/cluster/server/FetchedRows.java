package io.weir.cluster.server;

import java.sql.SQLException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.Meta.Frame;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.MissingResultsException;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * A result's rows on the client's side: the next frame is asked for when the next row is, not
 * before. Fails with SQLException, unchecked, as {@code ResultSet.next} declares it.
 */
final class FetchedRows implements Iterator<Object> {
    private static final int FETCH_ROWS = 1_000;

    private final Meta remote;
    private final StatementHandle statement;
    private final AtomicBoolean cancelled;
    private Iterator<Object> rows;
    private boolean done;
    private long offset;

    private FetchedRows(
            Meta remote, StatementHandle statement, AtomicBoolean cancelled, Frame first) {
        this.remote = remote;
        this.statement = statement;
        this.cancelled = cancelled;
        this.rows = first == null ? Collections.emptyIterator() : first.rows.iterator();
        this.done = first != null && first.done;
    }

    static Iterable<Object> of(
            Meta remote, AvaticaConnection connection, StatementHandle statement, Frame first)
            throws NoSuchStatementException {
        AtomicBoolean cancelled = connection.getCancelFlag(statement);
        FetchedRows rows = new FetchedRows(remote, statement, cancelled, first);
        return () -> rows;
    }

    @Override
    public boolean hasNext() {
        while (!rows.hasNext() && !done) {
            if (cancelled.get()) {
                throw unchecked(new SQLException("the statement was cancelled", "57014"));
            }
            fetch();
        }
        return rows.hasNext();
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        offset++;
        return rows.next();
    }

    private void fetch() {
        try {
            Frame frame = remote.fetch(statement, offset, FETCH_ROWS);
            rows = frame == null ? Collections.emptyIterator() : frame.rows.iterator();
            done = frame == null || frame.done;
        } catch (NoSuchStatementException | MissingResultsException e) {
            throw unchecked(new SQLException("the server has closed the statement", "24000", e));
        } catch (RuntimeException e) {
            throw unchecked(new SQLException(e.getMessage(), "42000", e));
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException unchecked(Throwable error) throws E {
        throw (E) error;
    }
}
