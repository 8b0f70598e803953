package io.weir.cluster.worker;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.KeptCondition;
import io.weir.cluster.wire.KeptConditions;
import io.weir.operators.graph.Query;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What rows made here have done to conditions that are tested here: kept beside the outbox as it is
 * after each of its rows, so that the worker's next process goes on with its first packet. Of
 * versions that it has not by then nothing is kept any more. Any thread.
 */
final class Conditions {
    private static final int FORMAT = 1;

    /** Of one condition; beyond that the earliest are not kept. */
    private static final int MOST_ACTIVE = 1_024;

    private final OutboxNote note;
    private final Consumer<String> failed;
    private final Map<Key, Condition> all = new LinkedHashMap<>();

    /** By the process before, of those that are not here yet. */
    private final Map<Key, KeptCondition> left = new LinkedHashMap<>();

    private long leftPassedNs = Long.MIN_VALUE;
    private long passedNs = Long.MIN_VALUE;
    private boolean changed;

    /**
     * @param elsewhere whether it is tested for other workers, with a trigger of its own
     */
    private record Key(String query, boolean elsewhere) {}

    /** A query that is, or was, awake. */
    record Active(long fromNs, long untilNs) {
        boolean countsAfter(long timeNs) {
            return untilNs > timeNs && untilNs > fromNs;
        }
    }

    private static final class Condition {
        final Definition definition;
        final Consumer<Active> resumed;
        final Deque<Active> active = new ArrayDeque<>();

        Condition(Definition definition, Consumer<Active> resumed) {
            this.definition = definition;
            this.resumed = resumed;
        }

        /** What is not over; of what waits elsewhere, only what rows can still end or renew. */
        List<Active> going(boolean elsewhere, long firstNs) {
            List<Active> going = active.stream().filter(one -> one.countsAfter(firstNs)).toList();
            if (!elsewhere || going.isEmpty()) {
                return going;
            }
            Active last = active.getLast();
            boolean ends = definition.query().when().orElseThrow().until().isPresent();
            boolean over = ends && last.untilNs() != Long.MAX_VALUE;
            return over || !last.countsAfter(firstNs) ? List.of() : List.of(last);
        }
    }

    /**
     * @param failed told once that it cannot be written, or read
     */
    Conditions(OutboxNote note, Consumer<String> failed) {
        this.note = note;
        note.onFailure(why -> failed.accept("what conditions have come to cannot be kept: " + why));
        this.failed = failed;
        note.found().ifPresent(this::read);
    }

    private void read(byte[] bytes) {
        try {
            KeptConditions kept = KeptConditions.parseFrom(bytes);
            if (kept.getFormat() == FORMAT) {
                leftPassedNs = kept.getPassedNs();
                kept.getConditionList()
                        .forEach(one -> left.put(new Key(one.getQuery(), one.getElsewhere()), one));
            }
        } catch (InvalidProtocolBufferException e) {
            failed.accept("what conditions had come to cannot be read: they begin anew");
        }
    }

    /**
     * The query's condition is tested for others from now on, by a trigger that is new.
     *
     * @param resumed told of the activation that goes on, should the process before have left one
     */
    synchronized void watched(Definition waiting, Consumer<Active> resumed) {
        begin(new Key(waiting.name(), true), new Condition(waiting, resumed));
    }

    /**
     * The query's condition is tested here from now on.
     *
     * @param replaces whether an older version of it runs
     * @param resumed told of each activation that goes on, the earliest first
     */
    synchronized void attached(Definition query, boolean replaces, Consumer<Active> resumed) {
        Key key = new Key(query.name(), false);
        Condition old = all.get(key);
        Condition begun = new Condition(query, resumed);
        begin(key, begun);
        if (replaces && old != null && isSame(old.definition.query(), query.query())) {
            begun.active.addAll(old.active);
        }
    }

    private static boolean isSame(Query old, Query now) {
        return old.when().equals(now.when()) && old.readsPackets() == now.readsPackets();
    }

    private void begin(Key key, Condition begun) {
        changed = true;
        KeptCondition before = left.remove(key);
        if (before != null && before.getVersion() == begun.definition.version()) {
            for (Activity one : before.getActiveList()) {
                begun.active.add(new Active(one.getFromNs(), one.getUntilNs()));
            }
        }
        all.put(key, begun);
    }

    /** Its condition is tested here no more. */
    synchronized void detached(String query) {
        changed |= all.remove(new Key(query, false)) != null;
    }

    /** Of queries that wait elsewhere there are only these. */
    synchronized void retainWatched(Set<String> queries) {
        changed |= all.keySet().removeIf(key -> key.elsewhere() && !queries.contains(key.query()));
    }

    /**
     * The first packet comes: what is awake by then goes on.
     *
     * @param isLatest whether the process that left it was the last of this worker
     */
    void begin(long firstNs, boolean isLatest) {
        resumed(firstNs, isLatest).forEach(Runnable::run);
    }

    private synchronized List<Runnable> resumed(long firstNs, boolean isLatest) {
        changed |= !left.isEmpty();
        left.clear();
        if (!isLatest || firstNs < leftPassedNs) {
            changed = true;
            leftPassedNs = Long.MIN_VALUE;
            all.values().forEach(condition -> condition.active.clear());
            return List.of();
        }
        List<Runnable> resumed = new ArrayList<>();
        all.forEach(
                (key, condition) ->
                        condition.going(key.elsewhere(), firstNs).stream()
                                .map(active -> (Runnable) () -> condition.resumed.accept(active))
                                .forEach(resumed::add));
        return resumed;
    }

    /** A row has woken a query here, or set the end of what it had woken. */
    synchronized void fired(Query query, long fromNs, long untilNs) {
        Condition condition = all.get(new Key(query.name(), false));
        if (condition != null && isSame(condition.definition.query(), query)) {
            fired(condition, new Active(fromNs, untilNs));
        }
    }

    /** The same of a query that waits elsewhere. */
    synchronized void firedElsewhere(String query, long fromNs, long untilNs) {
        Condition condition = all.get(new Key(query, true));
        if (condition != null) {
            fired(condition, new Active(fromNs, untilNs));
        }
    }

    private void fired(Condition condition, Active now) {
        changed = true;
        Active last = condition.active.peekLast();
        if (last != null && last.fromNs() == now.fromNs()) {
            condition.active.removeLast();
        } else if (condition.active.size() == MOST_ACTIVE) {
            condition.active.removeFirst();
        }
        condition.active.addLast(now);
    }

    /** All rows of windows that end by then have been tested. */
    synchronized void passed(long timeNs) {
        if (timeNs != Long.MAX_VALUE) { // the input ends, and the next process goes on
            passedNs = timeNs;
        }
    }

    /**
     * Has what has changed be found by the next process that finds this entry in the outbox; what
     * cannot be written is tried again with the next.
     */
    synchronized boolean keep(long entry) {
        changed |= note.isBroken();
        if (!changed) {
            return false;
        }
        all.values().forEach(each -> each.active.removeIf(active -> active.untilNs() <= passedNs));
        changed = !note.write(kept().toByteArray(), entry);
        return !changed;
    }

    /** Should that entry not have been taken: the rows are lost, and what they did is done. */
    synchronized void keepAgain(long entry) {
        changed = true;
        keep(entry);
    }

    private KeptConditions kept() {
        KeptConditions.Builder kept =
                KeptConditions.newBuilder()
                        .setFormat(FORMAT)
                        .setPassedNs(Math.max(passedNs, leftPassedNs));
        all.forEach((key, condition) -> add(kept, key, condition));
        left.values().forEach(kept::addCondition);
        return kept.build();
    }

    private static void add(KeptConditions.Builder kept, Key key, Condition condition) {
        if (condition.active.isEmpty()) {
            return;
        }
        KeptCondition.Builder one =
                kept.addConditionBuilder()
                        .setQuery(key.query())
                        .setVersion(condition.definition.version())
                        .setElsewhere(key.elsewhere());
        for (Active active : condition.active) {
            one.addActiveBuilder().setFromNs(active.fromNs()).setUntilNs(active.untilNs());
        }
    }
}
