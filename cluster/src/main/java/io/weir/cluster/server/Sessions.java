package io.weir.cluster.server;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Right;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.calcite.avatica.Meta.StatementHandle;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * The server's connections and their statements. Both are bounded. They are removed when their
 * client has been silent for some time, because HTTP does not report its death. A connection
 * belongs to its user: for others, and for the same one with other roles, the name does not exist.
 * Thread-safe.
 */
final class Sessions implements AutoCloseable {
    static final int MAX_SESSIONS = 1_000;
    static final int MAX_STATEMENTS = 1_000;
    static final int MAX_EXECUTIONS = 64;
    private static final long CLOSE_WAIT_MS = 2_000;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Map<Integer, OpenStatement> statements = new ConcurrentHashMap<>();

    /** The running executions, also of closed statements: a stopped one still has to end. */
    private final Set<Execution> executions = ConcurrentHashMap.newKeySet();

    private final AtomicInteger nextId = new AtomicInteger(1);
    private final long idleNs;
    private final LongSupplier clockNs;

    /**
     * @param readOnly whether the client wants to change nothing
     */
    private record Session(
            User user, AtomicLong lastUsedNs, SqlSession talk, AtomicBoolean readOnly) {}

    /**
     * The content of a statement.
     *
     * @param answer empty if its {@code ?}s must be given first
     */
    record Prepared(String sql, Optional<Answer> answer) {}

    /** One statement: its prepared text, and its execution. Guarded by itself. */
    static final class OpenStatement {
        private final String connectionId;
        private final AtomicLong lastUsedNs;
        private Prepared prepared;
        private Execution execution;

        private OpenStatement(String connectionId, long nowNs) {
            this.connectionId = connectionId;
            this.lastUsedNs = new AtomicLong(nowNs);
        }

        /** Returns empty before it is prepared. */
        synchronized Optional<Prepared> prepared() {
            return Optional.ofNullable(prepared);
        }

        synchronized void prepared(Prepared statement) {
            prepared = statement;
        }

        synchronized Execution execution() {
            return execution;
        }

        /** Replaces the execution. The old one is stopped. */
        synchronized void execute(Execution next) {
            if (execution != null) {
                execution.close();
            }
            execution = next;
        }
    }

    Sessions(Duration idle, LongSupplier clockNs) {
        this.idleNs = idle.toNanos();
        this.clockNs = clockNs;
    }

    /**
     * The client's driver opens its connection again after each error. The session then goes on.
     */
    void open(String connectionId, SqlSession talk) {
        bound(sessions.size(), MAX_SESSIONS, "connections");
        Session opened =
                new Session(
                        Callers.current(),
                        new AtomicLong(clockNs.getAsLong()),
                        talk,
                        new AtomicBoolean());
        Session other = sessions.putIfAbsent(connectionId, opened);
        if (other != null) {
            touch(connectionId);
        }
    }

    /** Notes that the client is alive. */
    void touch(String connectionId) {
        session(connectionId);
    }

    /**
     * Returns whether the connection is read-only. It always is for a user without the right to
     * change.
     *
     * @param wanted from now on; null to leave it as it is
     */
    boolean readOnly(String connectionId, Boolean wanted) {
        AtomicBoolean readOnly = known(connectionId).readOnly();
        if (wanted != null) {
            readOnly.set(wanted);
        }
        return readOnly.get() || !Callers.current().may(Right.CHANGE);
    }

    /** Returns whether the client wants to change nothing. */
    boolean isReadOnly(String connectionId) {
        return known(connectionId).readOnly().get();
    }

    /** Returns the client's session with the node. Notes that the client is alive. */
    SqlSession session(String connectionId) {
        return known(connectionId).talk();
    }

    private Session known(String connectionId) {
        Session session = sessions.get(connectionId);
        if (session == null || !isCallers(session)) {
            throw none(connectionId);
        }
        session.lastUsedNs.set(clockNs.getAsLong());
        return session;
    }

    private static boolean isCallers(Session session) {
        return session.user().equals(Callers.current());
    }

    private boolean isCallers(String connectionId) {
        Session session = sessions.get(connectionId);
        return session != null && isCallers(session);
    }

    private static NoSuchConnectionException none(String connectionId) {
        return new NoSuchConnectionException("no connection " + connectionId);
    }

    /** Returns a number that no other statement of this server has. */
    int newId() {
        return nextId.getAndIncrement();
    }

    int create(String connectionId) {
        touch(connectionId);
        bound(statements.size(), MAX_STATEMENTS, "statements");
        int id = newId();
        statements.put(id, new OpenStatement(connectionId, clockNs.getAsLong()));
        return id;
    }

    /** Returns the statement, and notes that its client is alive. */
    OpenStatement statement(StatementHandle handle) throws NoSuchStatementException {
        touch(handle.connectionId);
        OpenStatement statement = statements.get(handle.id);
        if (statement == null || !statement.connectionId.equals(handle.connectionId)) {
            throw new NoSuchStatementException(handle);
        }
        statement.lastUsedNs.set(clockNs.getAsLong());
        return statement;
    }

    /**
     * Stops the statement's query, and waits some time for its end. The client that closes it may
     * next ask for its account.
     */
    void closeStatement(StatementHandle handle) {
        OpenStatement statement = statements.get(handle.id);
        if (statement != null
                && statement.connectionId.equals(handle.connectionId)
                && isCallers(handle.connectionId)) {
            Execution execution = statement.execution();
            remove(handle.id);
            if (execution != null) {
                try {
                    execution.awaitEnd(CLOSE_WAIT_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    void closeConnection(String connectionId) {
        if (isCallers(connectionId)) {
            forget(connectionId);
        }
    }

    private void forget(String connectionId) {
        sessions.remove(connectionId);
        statements.forEach(
                (id, statement) -> {
                    if (statement.connectionId.equals(connectionId)) {
                        remove(id);
                    }
                });
    }

    private void remove(int id) {
        OpenStatement statement = statements.remove(id);
        if (statement != null) {
            statement.execute(null);
        }
    }

    /** Starts a statement's query. Refuses it if too many run. */
    void start(OpenStatement statement, Supplier<Execution> next) {
        bound(running(), MAX_EXECUTIONS, "running queries");
        Execution execution = next.get().start();
        executions.add(execution);
        statement.execute(execution);
    }

    int running() {
        executions.removeIf(execution -> !execution.isRunning());
        return executions.size();
    }

    /** Removes clients that have been silent for too long. */
    void sweep() {
        long oldest = clockNs.getAsLong() - idleNs;
        statements.forEach(
                (id, statement) -> {
                    if (statement.lastUsedNs.get() - oldest < 0) {
                        remove(id);
                    }
                });
        sessions.forEach(
                (id, session) -> {
                    if (session.lastUsedNs.get() - oldest < 0) {
                        forget(id);
                    }
                });
    }

    private static void bound(int count, int limit, String what) {
        if (count >= limit) {
            throw new WeirException(
                    ErrorCode.TOO_MANY_QUERIES,
                    "this server has " + limit + " " + what + " already",
                    "close some, or wait for idle ones to be closed");
        }
    }

    @Override
    public void close() {
        statements.keySet().forEach(this::remove);
        sessions.clear();
    }
}
