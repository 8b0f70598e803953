package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.when.WhenTester;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Knows which query reads which rows, and whose rows wake which query. It checks what a query may
 * depend on, and moves dependents to a new version. The results' lock.
 */
final class Dependencies {
    private final EngineContext engine;
    private final ReplayBarrier barrier;
    private final List<WakeListener> listeners;
    private final Map<String, RunningQuery> byName;
    private final BiConsumer<ResultQuery, WeirException> refused;
    private final Map<RunningQuery, TriggeredQuery> triggered = new HashMap<>();

    /**
     * @param byName the existing queries; the caller keeps the map
     * @param refused is told of a query that is woken, and has no memory
     */
    Dependencies(
            EngineContext engine,
            ReplayBarrier barrier,
            List<WakeListener> listeners,
            Map<String, RunningQuery> byName,
            BiConsumer<ResultQuery, WeirException> refused) {
        this.refused = refused;
        this.engine = engine;
        this.barrier = barrier;
        this.listeners = listeners;
        this.byName = byName;
    }

    RunningQuery running(String name) {
        RunningQuery found = byName.get(name);
        if (found == null) {
            throw new WeirException(ErrorCode.UNKNOWN_STREAM, "no query " + name + " is running");
        }
        return found;
    }

    /**
     * Checks that all queries exist that it reads or waits for, and that it can still get their
     * rows.
     */
    void check(RunningQuery added, boolean started) {
        if (added.query().reads().isOfQuery()) {
            RunningQuery read = running(added.query().scan().stream());
            if (read.leaves()) {
                throw new WeirException(
                        ErrorCode.NOT_SUPPORTED,
                        "the rows of " + read.name() + " are not made here");
            }
            boolean atEnd = added.query().scan().isTable() && readsAtEnd(added);
            if (!atEnd) {
                checkReadable(read, started);
            }
        }
        if (added.upstream != null) {
            checkReadable(added.upstream, started);
        }
    }

    /** Returns whether it reads a table only at the end. */
    private static boolean readsAtEnd(RunningQuery added) {
        Query query = added.query();
        return query.when().isEmpty() && query.aggregate().isPresent();
    }

    private void checkReadable(RunningQuery upstream, boolean started) {
        boolean atEndOnly = QueryShape.isTotals(upstream.query()) && engine.options().finalTotals();
        if (started && atEndOnly && !upstream.result.wantsTicks()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "the totals of " + upstream.name() + " come once, at the end of the input",
                    "create the reading query before the input begins, or give it a window");
        }
    }

    /** Connects a query to its upstream query and to the queries that wake it. */
    void connect(RunningQuery added) {
        connectReader(added);
        connectTrigger(added);
    }

    private void connectReader(RunningQuery added) {
        if (added.query().reads().isOfQuery()) {
            added.read = running(added.query().scan().stream());
            added.result.reads(added.read.result);
            boolean overTable = added.query().scan().isTable();
            if (overTable) {
                added.tableReader = added.result.asTableReader();
                added.read.result.addTableReader(added.tableReader);
            }
            if (!overTable || added.query().aggregate().isEmpty()) {
                added.reader = added.result.asReader();
                added.read.result.addReader(added.reader);
            }
        }
    }

    private void connectTrigger(RunningQuery added) {
        if (added.query().when().isEmpty()) {
            return;
        }
        RunningQuery upstream = added.upstream;
        TriggeredQuery woken = new TriggeredQuery(engine, added, listeners, refused);
        triggered.put(added, woken);
        if (added.way.wokenElsewhere()) {
            return;
        }
        WhenTester test = woken.testing(added.conditions);
        upstream.result.addReader(test);
        barrier.add(upstream.result, emission(upstream), test);
    }

    Window emission(RunningQuery running) {
        return QueryShape.emission(running.query());
    }

    /**
     * Connects a new version in place of the old one.
     *
     * @param sameWhen whether the old version's condition also wakes the new one
     */
    void reconnect(RunningQuery old, RunningQuery altered, boolean sameWhen) {
        if (sameWhen) {
            altered.upstream = old.upstream;
            triggered.put(altered, triggered.remove(old));
        } else {
            disconnectTrigger(old);
        }
        disconnectReader(old);
        connectReader(altered);
        if (!sameWhen) {
            connectTrigger(altered);
        }
    }

    /** Moves the dependents of the old version to the new one. */
    void succeeded(RunningQuery old, RunningQuery altered) {
        barrier.moved(old.result, altered.result, emission(altered));
        for (RunningQuery running : byName.values()) {
            if (running.read == old) {
                running.read = altered;
                running.result.reads(altered.result);
            }
            if (running.upstream == old) {
                running.upstream = altered;
            }
        }
    }

    /** Returns what wakes a query with WHEN; empty for any other. */
    Optional<TriggeredQuery> triggered(RunningQuery running) {
        return Optional.ofNullable(triggered.get(running));
    }

    /** Returns the names of the queries that read it or wait for it. */
    List<String> dependents(RunningQuery of) {
        return byName.values().stream()
                .filter(r -> r.dependsOn(of))
                .map(RunningQuery::name)
                .toList();
    }

    void disconnect(RunningQuery running) {
        disconnectTrigger(running);
        disconnectReader(running);
    }

    private static void disconnectReader(RunningQuery running) {
        if (running.reader != null) {
            running.read.result.removeReader(running.reader);
        }
        if (running.tableReader != null) {
            running.read.result.removeTableReader(running.tableReader);
        }
    }

    private void disconnectTrigger(RunningQuery running) {
        TriggeredQuery woken = triggered.remove(running);
        if (running.upstream != null) {
            running.upstream.result.removeReader(woken.test());
            barrier.remove(woken.test());
            woken.end();
        }
    }
}
