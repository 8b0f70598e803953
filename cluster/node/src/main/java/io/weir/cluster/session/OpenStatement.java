package io.weir.cluster.session;

import io.weir.cluster.node.Answer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One statement of a session: its prepared text, and its execution. Thread-safe. */
public final class OpenStatement {
    private final int id;
    private final String session;
    private final AtomicLong lastUsedNs;
    private Prepared prepared;
    private Execution execution;

    /**
     * The content of a statement.
     *
     * @param answer empty if its {@code ?}s must be given first
     */
    public record Prepared(String sql, Optional<Answer> answer) {}

    OpenStatement(int id, String session, long nowNs) {
        this.id = id;
        this.session = session;
        this.lastUsedNs = new AtomicLong(nowNs);
    }

    /** A number that no other statement of the server has. */
    public int id() {
        return id;
    }

    boolean isOf(String otherSession) {
        return session.equals(otherSession);
    }

    long lastUsedNs() {
        return lastUsedNs.get();
    }

    void touch(long nowNs) {
        lastUsedNs.set(nowNs);
    }

    /** Returns empty before it is prepared. */
    public synchronized Optional<Prepared> prepared() {
        return Optional.ofNullable(prepared);
    }

    /** Gives the statement a text. */
    public synchronized void prepared(Prepared statement) {
        prepared = statement;
    }

    /** Returns empty while it has no rows to fetch. */
    public synchronized Optional<Execution> execution() {
        return Optional.ofNullable(execution);
    }

    /** Stops the execution, if there is one. Does not wait for its end. */
    public void stop() {
        execute(null);
    }

    /** Replaces the execution. The old one is stopped. */
    synchronized void execute(Execution next) {
        if (execution != null) {
            execution.close();
        }
        execution = next;
    }
}
