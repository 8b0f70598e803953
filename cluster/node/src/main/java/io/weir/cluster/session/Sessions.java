package io.weir.cluster.session;

import io.weir.cluster.node.RowProducer;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Right;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sessions of a server's clients and their statements, whatever protocol a client speaks. Both
 * are bounded. They are removed when their client has been silent for some time, because a protocol
 * such as HTTP does not report its death. A session belongs to its user: for others, and for the
 * same one with other roles, the name does not exist. Thread-safe.
 */
public final class Sessions implements AutoCloseable {
    public static final int MAX_SESSIONS = 1_000;
    public static final int MAX_STATEMENTS = 1_000;
    static final int MAX_EXECUTIONS = 64;
    private static final long CLOSE_WAIT_MS = 2_000;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final Map<Integer, OpenStatement> statements = new ConcurrentHashMap<>();

    /** The running executions, also of closed statements: a stopped one still has to end. */
    private final Set<Execution> executions = ConcurrentHashMap.newKeySet();

    private final AtomicInteger nextId = new AtomicInteger(1);
    private final SqlNode node;
    private final long idleNs;
    private final Clock clock;

    /**
     * @param readOnly whether the client wants to change nothing
     */
    private record Session(
            User user, AtomicLong lastUsedNs, SqlSession talk, AtomicBoolean readOnly) {}

    /**
     * @param idle the silence after which a client's session ends
     */
    public Sessions(SqlNode node, Duration idle, Clock clock) {
        this.node = node;
        this.idleNs = idle.toNanos();
        this.clock = clock;
    }

    /**
     * Opens a session. If the caller has it already, it goes on: a client's driver opens its own
     * again after each error.
     *
     * @throws NoSessionException another user has this name
     */
    public void open(String session, User caller) {
        Session opened =
                new Session(
                        caller,
                        new AtomicLong(clock.nanos()),
                        node.session(caller),
                        new AtomicBoolean());
        Session other;
        synchronized (sessions) {
            bound(sessions.size(), MAX_SESSIONS, "connections");
            other = sessions.putIfAbsent(session, opened);
        }
        if (other != null) {
            touch(session, caller);
        }
    }

    /** Notes that the client is alive. */
    public void touch(String session, User caller) {
        known(session, caller);
    }

    /**
     * Returns whether the session is read-only. It always is for a user without the right to
     * change.
     *
     * @param wanted from now on; null to leave it as it is
     */
    public boolean readOnly(String session, User caller, Boolean wanted) {
        AtomicBoolean readOnly = known(session, caller).readOnly();
        if (wanted != null) {
            readOnly.set(wanted);
        }
        return readOnly.get() || !caller.may(Right.CHANGE);
    }

    /** Returns whether the client wants to change nothing. */
    public boolean isReadOnly(String session, User caller) {
        return known(session, caller).readOnly().get();
    }

    /** Returns the client's talk with the node. Notes that the client is alive. */
    public SqlSession talk(String session, User caller) {
        return known(session, caller).talk();
    }

    private Session known(String name, User caller) {
        Session session = sessions.get(name);
        if (session == null || !session.user().equals(caller)) {
            throw new NoSessionException(name);
        }
        session.lastUsedNs().set(clock.nanos());
        return session;
    }

    private boolean isCallers(String name, User caller) {
        Session session = sessions.get(name);
        return session != null && session.user().equals(caller);
    }

    /** Returns a number that no statement of this server has. */
    public int newId() {
        return nextId.getAndIncrement();
    }

    /** Makes a statement of the session. */
    public OpenStatement create(String session, User caller) {
        touch(session, caller);
        OpenStatement statement = new OpenStatement(newId(), session, clock.nanos());
        synchronized (statements) {
            bound(statements.size(), MAX_STATEMENTS, "statements");
            statements.put(statement.id(), statement);
        }
        return statement;
    }

    /** Returns the statement, and notes that its client is alive. */
    public OpenStatement statement(String session, int id, User caller)
            throws NoStatementException {
        touch(session, caller);
        OpenStatement statement = statements.get(id);
        if (statement == null || !statement.isOf(session)) {
            throw new NoStatementException(id);
        }
        statement.touch(clock.nanos());
        return statement;
    }

    /**
     * Stops the statement's query, and waits some time for its end. The client that closes it may
     * next ask for its account.
     */
    public void closeStatement(String session, int id, User caller) {
        OpenStatement statement = statements.get(id);
        if (statement == null || !statement.isOf(session) || !isCallers(session, caller)) {
            return;
        }
        Optional<Execution> execution = statement.execution();
        remove(id);
        if (execution.isPresent()) {
            try {
                execution.get().awaitEnd(CLOSE_WAIT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends a session of the caller with its statements. */
    public void close(String session, User caller) {
        if (isCallers(session, caller)) {
            forget(session);
        }
    }

    private void forget(String session) {
        sessions.remove(session);
        statements.forEach(
                (id, statement) -> {
                    if (statement.isOf(session)) {
                        remove(id);
                    }
                });
    }

    private void remove(int id) {
        OpenStatement statement = statements.remove(id);
        if (statement != null) {
            statement.stop();
        }
    }

    /**
     * Starts a statement's query in place of the one before.
     *
     * @param mostRows after which the rows end; negative for no limit
     * @throws WeirException TOO_MANY_QUERIES
     */
    public void start(OpenStatement statement, RowProducer producer, long mostRows) {
        String thread = "weir-statement-" + statement.id();
        Execution execution;
        synchronized (executions) {
            bound(running(), MAX_EXECUTIONS, "running queries");
            execution = new Execution(thread, producer, mostRows).start();
            executions.add(execution);
        }
        statement.execute(execution);
    }

    /** Returns how many queries run, those of closed statements included. */
    public int running() {
        executions.removeIf(execution -> !execution.isRunning());
        return executions.size();
    }

    /** Removes clients that have been silent for too long. */
    public void sweep() {
        long oldest = clock.nanos() - idleNs;
        statements.forEach(
                (id, statement) -> {
                    if (statement.lastUsedNs() - oldest < 0) {
                        remove(id);
                    }
                });
        sessions.forEach(
                (id, session) -> {
                    if (session.lastUsedNs().get() - oldest < 0) {
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
