package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.Activation;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultStage;
import io.weir.operators.trigger.Trigger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The queries of an engine: which there are, what they read, with whom they share. The results'
 * lock.
 */
final class Queries {
    private final Lanes lanes;
    private final ResultStage stage;
    private final Hold hold;
    private final List<WakeListener> listeners;
    private final Map<String, Running> byName = new LinkedHashMap<>();
    private boolean started;

    Queries(Lanes lanes, ResultStage stage, Hold hold, List<WakeListener> listeners) {
        this.lanes = lanes;
        this.stage = stage;
        this.hold = hold;
        this.listeners = listeners;
    }

    boolean isStarted() {
        return started;
    }

    /**
     * Gathers in crowds those that can share, and has all count that have no WHEN.
     *
     * @param ready what to do with each crowd first
     */
    void start(Consumer<Crowd> ready) {
        started = true;
        List<Crowd> crowds = Crowds.of(List.copyOf(byName.values()), lanes);
        crowds.forEach(ready);
        for (Crowd crowd : crowds) {
            if (crowd.code().query().when().isEmpty()) {
                crowd.activate(new Gate(), RowContext.ALWAYS, null);
            }
        }
    }

    Running find(String name) {
        return byName.get(name);
    }

    Running running(String name) {
        Running found = byName.get(name);
        if (found == null) {
            throw new WeirException(ErrorCode.UNKNOWN_STREAM, "no query " + name + " is running");
        }
        return found;
    }

    Waking waking(String name) {
        Waking waking = running(name).waking;
        if (waking == null) {
            throw new WeirException(ErrorCode.INVALID_QUERY, name + " has no WHEN");
        }
        return waking;
    }

    /** One that counts what the query asks for, and more; or null. */
    Crowd crowdFor(Query query, boolean leaves) {
        for (Running running : byName.values()) {
            if (running.crowd != null && running.crowd.takes(query, leaves)) {
                return running.crowd;
            }
        }
        return null;
    }

    /** Whether what was prepared without the lock still fits. */
    boolean fits(Prepared prepared) {
        Query query = prepared.code().query();
        boolean crowd =
                prepared.crowd() == null
                        || prepared.crowd().takes(query, prepared.departure() != null);
        return crowd && (prepared.upstream() == null || isRunning(prepared.upstream()));
    }

    private boolean isRunning(Running running) {
        return byName.get(running.name()) == running;
    }

    void add(Prepared prepared) {
        Query query = prepared.code().query();
        if (byName.containsKey(query.name())) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY, "a query " + query.name() + " is running");
        }
        checkReads(prepared);
        Running added = made(prepared);
        Crowd crowd = started ? crowd(prepared) : null;
        connect(added, prepared);
        byName.put(query.name(), added);
        stage.add(added.result);
        if (started) {
            join(added, crowd, prepared);
            if (query.when().isEmpty() && prepared.crowd() == null) {
                added.crowd.activate(new Gate(), lanes.completeFromNs(), null);
            }
        }
    }

    private Running made(Prepared prepared) {
        Running made =
                new Running(
                        prepared.code(),
                        prepared.sink(),
                        lanes.account(),
                        lanes.pipelines().size());
        if (prepared.departure() != null) {
            made.leaveBy(prepared.departure(), prepared.readElsewhere());
        }
        return made;
    }

    /** The crowd that it joins, or one of its own with its memory set aside. */
    private Crowd crowd(Prepared prepared) {
        if (prepared.crowd() != null) {
            return prepared.crowd();
        }
        Crowd alone = new Crowd(lanes, prepared.code());
        if (prepared.code().query().when().isEmpty()) {
            alone.reserve();
        }
        return alone;
    }

    private static void join(Running added, Crowd crowd, Prepared prepared) {
        if (prepared.crowd() != null) {
            crowd.join(added, prepared.over());
        } else {
            crowd.add(added, prepared.code());
        }
    }

    /** Has it read what it reads, and be woken by what it waits for. */
    private void connect(Running added, Prepared prepared) {
        Query query = added.query();
        if (!query.readsPackets()) {
            added.read = running(query.scan().stream());
            added.reader = added.result.asReader();
            added.read.result.addReader(added.reader);
        }
        query.when().ifPresent(when -> addTrigger(added, when, prepared));
    }

    private void addTrigger(Running added, When when, Prepared prepared) {
        Running upstream = prepared.upstream();
        added.upstream = upstream;
        added.waking = new Waking(lanes, added, listeners);
        if (prepared.wokenElsewhere()) {
            return;
        }
        Trigger trigger =
                new Trigger(
                        prepared.condition(),
                        prepared.until(),
                        when.forNs().orElse(0L),
                        lanes.options().delayNs(),
                        added.waking);
        added.waking.trigger(trigger);
        upstream.result.addReader(trigger);
        hold.add(upstream.result, emission(upstream), trigger);
    }

    private Window emission(Running running) {
        return QueryShape.emission(running.query(), lanes.options().tickNs());
    }

    private void checkReads(Prepared prepared) {
        if (!prepared.code().query().readsPackets()) {
            Running read = running(prepared.code().query().scan().stream());
            // One whose own rows are made elsewhere is here for those whose conditions name it.
            if (read.leaves() && prepared.departure() == null) {
                throw new WeirException(
                        ErrorCode.NOT_SUPPORTED,
                        "the rows of " + read.name() + " are not made here");
            }
            checkReadable(read);
        }
        if (prepared.upstream() != null) {
            checkReadable(prepared.upstream());
        }
    }

    private void checkReadable(Running upstream) {
        boolean atEndOnly = QueryShape.isTotals(upstream.query()) && lanes.options().finalTotals();
        if (started && atEndOnly && !upstream.result.hasReaders()) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "the totals of " + upstream.name() + " come once, at the end of the input",
                    "create what reads them before the input begins, or give it a window");
        }
    }

    /** A new version in place of the old one; a query of that name may be running or not. */
    void replace(Prepared prepared) {
        Running old = byName.get(prepared.code().query().name());
        if (old == null) {
            add(prepared);
            return;
        }
        checkReplaceable(old, prepared.code());
        checkReads(prepared);
        Running altered = made(prepared);
        Crowd crowd = crowd(prepared);
        boolean sameWhen =
                old.query().when().isPresent()
                        && old.query().when().equals(prepared.code().query().when())
                        && old.query().readsPackets() == prepared.code().query().readsPackets();
        if (sameWhen) {
            altered.upstream = old.upstream;
            altered.waking = old.waking;
        } else {
            disconnectTrigger(old);
        }
        if (old.reader != null) {
            old.read.result.removeReader(old.reader);
        }
        connectAltered(altered, prepared, sameWhen);
        byName.put(altered.name(), altered);
        stage.replace(old.result, altered.result);
        hold.moved(old.result, altered.result, emission(altered));
        byName.values().forEach(running -> succeeded(running, old, altered));
        join(altered, crowd, prepared);
        begin(old, altered, sameWhen, prepared.crowd() != null);
    }

    private void connectAltered(Running altered, Prepared prepared, boolean sameWhen) {
        Query query = altered.query();
        if (!query.readsPackets()) {
            altered.read = running(query.scan().stream());
            altered.reader = altered.result.asReader();
            altered.read.result.addReader(altered.reader);
        }
        if (!sameWhen) {
            query.when().ifPresent(when -> addTrigger(altered, when, prepared));
        }
    }

    private static void succeeded(Running running, Running old, Running altered) {
        if (running.read == old) {
            running.read = altered;
        }
        if (running.upstream == old) {
            running.upstream = altered;
        }
    }

    /** Ends the old version and begins the new one, where both read packets between two blocks. */
    private void begin(Running old, Running altered, boolean sameWhen, boolean joined) {
        boolean alone = old.crowd.members().size() == 1;
        boolean packets = altered.query().readsPackets();
        Crowd inPlaceOf = alone && old.query().readsPackets() && packets ? old.crowd : null;
        boolean begins = altered.query().when().isEmpty() && !joined;
        if (sameWhen) {
            altered.waking.alter(altered);
        } else if (begins) {
            altered.crowd.activate(new Gate(), lanes.completeFromNs(), inPlaceOf);
        }
        if (inPlaceOf == null || !sameWhen && !begins) {
            end(old, joined);
        }
    }

    /** Windows that are open are still emitted: cut here, or, where others share them, whole. */
    private void end(Running old, boolean joined) {
        long nowNs = lanes.completeFromNs();
        boolean alone = old.crowd.members().size() == 1;
        for (Activation activation : List.copyOf(old.result.activations())) {
            if (!old.query().readsPackets()) {
                activation.finishRows();
            } else if (joined) {
                // What has not been heard of yet, its successor answers whole.
                activation.retire(Long.MIN_VALUE, Long.MIN_VALUE);
            } else if (alone) {
                old.crowd.detach();
            } else if (QueryShape.isTotals(old.query())) {
                activation.close();
            } else {
                long sizeNs = emission(old).sizeNs();
                activation.retire(nowNs, nowNs + sizeNs);
            }
        }
    }

    private void checkReplaceable(Running old, CompiledQuery code) {
        boolean sameColumns = old.query().columns().equals(code.query().columns());
        List<String> dependents = dependents(old);
        if (!sameColumns && !dependents.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "the columns of "
                            + old.name()
                            + " are used by "
                            + String.join(", ", dependents),
                    "keep its columns, or drop what uses them first");
        }
    }

    private List<String> dependents(Running of) {
        return byName.values().stream().filter(r -> r.dependsOn(of)).map(Running::name).toList();
    }

    /** Rows that wait are not emitted. */
    void drop(String name) {
        Running running = byName.get(name);
        if (running == null) {
            throw new WeirException(ErrorCode.UNKNOWN_QUERY, "no query " + name + " is running");
        }
        List<String> dependents = dependents(running);
        if (!dependents.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    name + " is used by " + String.join(", ", dependents),
                    "drop these first");
        }
        remove(running);
    }

    private void remove(Running running) {
        byName.remove(running.name());
        disconnectTrigger(running);
        if (running.reader != null) {
            running.read.result.removeReader(running.reader);
        }
        stage.remove(running.result);
    }

    private void disconnectTrigger(Running running) {
        if (running.upstream != null) {
            running.upstream.result.removeReader(running.waking.trigger());
            hold.remove(running.waking.trigger());
        }
    }

    /**
     * Its groups outgrew its budget: ends all who share it; what reads them stays, and waits. Each
     * of its pipelines may say so.
     */
    void fail(Crowd crowd) {
        if (!crowd.failsFirst()) {
            return;
        }
        for (Running running : new ArrayList<>(crowd.members())) {
            remove(running);
            long bytes = running.query().budget().orElseThrow().memoryBytes();
            WeirException failure =
                    new WeirException(
                            ErrorCode.BUDGET_EXCEEDED,
                            "query "
                                    + running.name()
                                    + " has ended: its groups need more than its memory of "
                                    + bytes
                                    + " bytes",
                            "raise memory, or choose on_overflow = 'evict'");
            listeners.forEach(listener -> listener.failed(running.query(), failure));
        }
    }
}
