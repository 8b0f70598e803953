package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.JointTest;
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
    private final ResultStage stage;
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
            ResultStage stage,
            ReplayBarrier barrier,
            List<WakeListener> listeners,
            Map<String, RunningQuery> byName,
            BiConsumer<ResultQuery, WeirException> refused) {
        this.refused = refused;
        this.engine = engine;
        this.stage = stage;
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
        added.query().scan().queries().forEach(name -> checkRead(added, running(name), started));
        added.upstreams.forEach(upstream -> checkReadable(upstream, started));
    }

    private void checkRead(RunningQuery added, RunningQuery read, boolean started) {
        if (read.leaves()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED, "the rows of " + read.name() + " are not made here");
        }
        boolean once = added.query().scan().combinesTables();
        if (once && !engine.options().finalTotals()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "totals are ordered, joined or put together at the end of the input, and live packets"
                            + " have none",
                    "give the queries windows");
        }
        boolean atEnd = added.query().scan().isTable() && (once || readsAtEnd(added));
        if (!atEnd) {
            checkReadable(read, started);
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
        Operator.Scan scan = added.query().scan();
        boolean once = scan.combinesTables();
        boolean rows = !scan.isTable() || added.query().aggregate().isEmpty() && !once;
        for (int input = 0; input < scan.queries().size(); input++) {
            RunningQuery from = running(scan.queries().get(input));
            RunningQuery.Read read =
                    new RunningQuery.Read(
                            from,
                            rows ? added.result.asReader(input) : null,
                            scan.isTable() ? added.result.asTableReader(input) : null);
            added.reads.add(read);
            added.result.reads(from.result);
            if (read.tables() != null) {
                from.result.addTableReader(read.tables());
            }
            if (read.rows() != null) {
                from.result.addReader(read.rows());
            }
        }
    }

    private void connectTrigger(RunningQuery added) {
        if (added.query().when().isEmpty() || added.isPaused()) {
            return;
        }
        TriggeredQuery woken = new TriggeredQuery(engine, added, listeners, refused);
        triggered.put(added, woken);
        if (added.way.wokenElsewhere()) {
            return;
        }
        woken.testing(added.conditions, RunningQuery.codes(added.upstreams));
        woken.joint().ifPresent(stage::addJoint);
        for (int place = 0; place < added.upstreams.size(); place++) {
            RunningQuery upstream = added.upstreams.get(place);
            upstream.result.addReader(woken.readers().get(place));
            barrier.add(upstream.result, emission(upstream), woken.test());
        }
    }

    /** Tests rows made here for a query that runs elsewhere. */
    void watch(When when, List<CompiledQuery> codes, WhenTester test) {
        JointTest all = JointTest.of(when, codes, engine.allocator(), test);
        all.joint().ifPresent(stage::addJoint);
        for (int place = 0; place < when.upstreams().size(); place++) {
            running(when.upstreams().get(place)).result.addReader(all.readers().get(place));
        }
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
            altered.upstreams = old.upstreams;
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
            if (running.reads.stream().anyMatch(read -> read.from() == old)) {
                running.reads.replaceAll(
                        read ->
                                read.from() == old
                                        ? new RunningQuery.Read(altered, read.rows(), read.tables())
                                        : read);
                running.result.reads(old.result, altered.result);
            }
            running.upstreams =
                    running.upstreams.stream().map(one -> one == old ? altered : one).toList();
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
        for (RunningQuery.Read read : running.reads) {
            if (read.rows() != null) {
                read.from().result.removeReader(read.rows());
            }
            if (read.tables() != null) {
                read.from().result.removeTableReader(read.tables());
            }
        }
    }

    private void disconnectTrigger(RunningQuery running) {
        TriggeredQuery woken = triggered.remove(running);
        if (woken == null || running.upstreams.isEmpty()) {
            return;
        }
        woken.joint().ifPresent(stage::removeJoint);
        for (int place = 0; place < running.upstreams.size(); place++) {
            RowSink reader = woken.readers().get(place);
            running.upstreams.get(place).result.removeReader(reader);
        }
        barrier.remove(woken.test());
        woken.end();
    }
}
