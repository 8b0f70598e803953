package io.weir.cluster.worker;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.KeptCondition;
import io.weir.cluster.wire.KeptConditions;
import io.weir.operators.graph.Query;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What rows made here have done to conditions that are tested here: kept beside the outbox as it is
 * after each of its rows, so that the worker's next process goes on. Of versions that it has not
 * when its first packet comes nothing is kept any more. Any thread.
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

    private long passedNs = Long.MIN_VALUE;
    private boolean changed;
    private boolean cannot;

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

    /** An activation of a query that is awake here. */
    record Resumed(String query, Active active) {}

    private static final class Condition {
        final Definition definition;
        final Deque<Active> active = new ArrayDeque<>();

        Condition(Definition definition) {
            this.definition = definition;
        }
    }

    /**
     * @param failed told once that it cannot be written
     */
    Conditions(OutboxNote note, Consumer<String> failed) {
        this.note = note;
        this.failed = failed;
        note.found().ifPresent(this::read);
    }

    private void read(byte[] bytes) {
        try {
            KeptConditions kept = KeptConditions.parseFrom(bytes);
            if (kept.getFormat() == FORMAT) {
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
     * @return its latest activation, where the process before has left one that may go on
     */
    synchronized Optional<Active> watched(Definition waiting) {
        Condition begun = begin(new Key(waiting.name(), true), waiting);
        boolean ends = waiting.query().when().orElseThrow().until().isPresent();
        return Optional.ofNullable(begun.active.peekLast())
                .filter(last -> !ends || last.untilNs() == Long.MAX_VALUE);
    }

    /**
     * The query's condition is tested here from now on.
     *
     * @param replaces whether an older version of it runs
     */
    synchronized void attached(Definition query, boolean replaces) {
        Key key = new Key(query.name(), false);
        Condition old = all.get(key);
        Condition begun = begin(key, query);
        if (replaces && old != null && isSame(old.definition.query(), query.query())) {
            begun.active.addAll(old.active);
        }
    }

    private static boolean isSame(Query old, Query now) {
        return old.when().equals(now.when()) && old.readsPackets() == now.readsPackets();
    }

    private Condition begin(Key key, Definition definition) {
        changed = true;
        Condition begun = new Condition(definition);
        KeptCondition before = left.remove(key);
        if (before != null && before.getVersion() == definition.version()) {
            for (Activity one : before.getActiveList()) {
                begun.active.add(new Active(one.getFromNs(), one.getUntilNs()));
            }
        }
        all.put(key, begun);
        return begun;
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
     * The first packet comes.
     *
     * @return what is awake here by then, each query's in order
     */
    synchronized List<Resumed> begin(long firstNs) {
        changed |= !left.isEmpty();
        left.clear();
        return all.entrySet().stream()
                .filter(each -> !each.getKey().elsewhere())
                .flatMap(
                        each ->
                                each.getValue().active.stream()
                                        .filter(active -> active.countsAfter(firstNs))
                                        .map(active -> new Resumed(each.getKey().query(), active)))
                .toList();
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
        if (!changed) {
            return false;
        }
        all.values().forEach(each -> each.active.removeIf(active -> active.untilNs() <= passedNs));
        try {
            note.write(kept().toByteArray(), entry);
            changed = false;
        } catch (IOException e) {
            if (!cannot) {
                failed.accept("what conditions have come to cannot be kept: " + e.getMessage());
            }
            cannot = true;
        }
        return !changed;
    }

    /** Should that entry not have been taken: the rows are lost, and what they did is done. */
    synchronized void keepAgain(long entry) {
        changed = true;
        keep(entry);
    }

    private KeptConditions kept() {
        KeptConditions.Builder kept = KeptConditions.newBuilder().setFormat(FORMAT);
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
