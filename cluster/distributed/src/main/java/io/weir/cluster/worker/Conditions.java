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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of conditions that are tested here on rows made here. It is stored beside the outbox
 * after each row, so that the worker's next process continues with its first packet. Versions that
 * the next process does not have by then are removed. Any thread.
 */
final class Conditions {
    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);
    private static final int FORMAT = 1;

    /** The bound for one condition; earlier activations beyond it are not kept. */
    private static final int MOST_ACTIVE = 1_024;

    private final OutboxNote note;
    private final Map<Key, Condition> all = new LinkedHashMap<>();

    /** The conditions of the last process whose queries are not here yet. */
    private final Map<Key, KeptCondition> left = new LinkedHashMap<>();

    private long leftPassedNs = Long.MIN_VALUE;
    private long passedNs = Long.MIN_VALUE;
    private boolean changed;

    /**
     * @param elsewhere whether it is tested for other workers, with its own trigger
     */
    private record Key(String query, boolean elsewhere) {}

    /** An activation of a query. */
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

        /**
         * Returns the activations that go on. For a query elsewhere it returns only those that rows
         * can still end or renew.
         */
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

    Conditions(OutboxNote note) {
        this.note = note;
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
            LOG.warn("the state of conditions in {} cannot be read: they begin again", note);
        }
    }

    /**
     * Tests the condition for another worker from now on, with a new trigger.
     *
     * @param resumed is told of the activation that goes on, if the last process has left one
     */
    synchronized void watched(Definition waiting, Consumer<Active> resumed) {
        begin(new Key(waiting.name(), true), new Condition(waiting, resumed));
    }

    /**
     * Tests the query's condition here from now on.
     *
     * @param replaces whether an older version of it runs
     * @param resumed is told of each activation that goes on, the earliest first
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
        return old.when().equals(now.when()) && old.reads().spread() == now.reads().spread();
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

    /** Stops testing its condition here. */
    synchronized void detached(String query) {
        changed |= all.remove(new Key(query, false)) != null;
    }

    /** Keeps only these of the queries that wait elsewhere. */
    synchronized void retainWatched(Set<String> queries) {
        changed |= all.keySet().removeIf(key -> key.elsewhere() && !queries.contains(key.query()));
    }

    /**
     * Notes that the first packet comes. Activations that are awake by then go on.
     *
     * @param isLatest whether they come from this worker's last process
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

    /** Notes that a row has woken a query here, or has set the end of an activation. */
    synchronized void fired(Query query, long fromNs, long untilNs) {
        Condition condition = all.get(new Key(query.name(), false));
        if (condition != null && isSame(condition.definition.query(), query)) {
            fired(condition, new Active(fromNs, untilNs));
        }
    }

    /** Notes the same for a query that waits elsewhere. */
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

    /** Notes that all rows of windows that end by then have been tested. */
    synchronized void passed(long timeNs) {
        if (timeNs != Long.MAX_VALUE) { // the input ends, and the next process goes on
            passedNs = timeNs;
        }
    }

    /**
     * Stores the changes for the next process that finds this entry in the outbox. A failed write
     * is repeated with the next entry.
     */
    synchronized boolean keep(long entry) {
        if (!changed) {
            return false;
        }
        all.values().forEach(each -> each.active.removeIf(active -> active.untilNs() <= passedNs));
        changed = !note.write(kept().toByteArray(), entry);
        return !changed;
    }

    /**
     * Stores again if the outbox did not take that entry. Its rows are lost, but their effects
     * remain.
     */
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
