package io.weir.cluster.worker;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.OutboxNote;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.KeptCondition;
import io.weir.cluster.wire.KeptConditions;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.when.Binding;
import io.weir.operators.when.WhenState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final String UNREADABLE =
            "the state of conditions in {} cannot be read: they begin again";

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

    private static final class Condition {
        final Definition definition;
        final Consumer<WhenState.Change> resumed;
        WhenState state;

        Condition(Definition definition, Consumer<WhenState.Change> resumed) {
            this.definition = definition;
            this.resumed = resumed;
            clear();
        }

        void clear() {
            state = state(definition.query(), MOST_ACTIVE);
        }

        /**
         * Returns the activations that go on. For a query elsewhere it returns only those that rows
         * can still end or renew.
         */
        List<WhenState.Change> going(boolean elsewhere, long firstNs) {
            List<WhenState.Change> going =
                    state.pending().stream().filter(one -> countsAfter(one, firstNs)).toList();
            if (!elsewhere || going.isEmpty()) {
                return going;
            }
            boolean ends = definition.query().when().orElseThrow().until().isPresent();
            return state.latestOfEach().stream()
                    .filter(last -> !ends || !isOver(last))
                    .filter(last -> countsAfter(last, firstNs))
                    .toList();
        }

        private static boolean isOver(WhenState.Change last) {
            return last.waking().isPresent() ? last.closed() : last.untilNs() != Long.MAX_VALUE;
        }

        private static boolean countsAfter(WhenState.Change activation, long timeNs) {
            return activation.untilNs() > timeNs && activation.counts();
        }

        /** Takes over the stored state. Release 0.1 has stored activations alone. */
        void restore(KeptCondition before) {
            if (!before.getState().isEmpty()) {
                state.restore(before.getState().toByteArray());
                return;
            }
            for (Activity one : before.getActiveList()) {
                state.apply(WhenState.Change.wake(one.getFromNs(), one.getUntilNs()));
            }
        }
    }

    /** Makes the state of a query that is tested here, with its bindings. */
    static WhenState state(Query waiting, int mostPending) {
        Optional<Correlation> used = waiting.when().flatMap(When::correlation);
        return new WhenState(used.map(Correlation::most).orElse(1), mostPending);
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
            LOG.warn(UNREADABLE, note);
        }
    }

    /**
     * Tests the condition for another worker from now on, with a new trigger.
     *
     * @param resumed is told of the activation that goes on, if the last process has left one
     */
    synchronized void watched(Definition waiting, Consumer<WhenState.Change> resumed) {
        begin(new Key(waiting.name(), true), new Condition(waiting, resumed));
    }

    /**
     * Tests the query's condition here from now on.
     *
     * @param replaces whether an older version of it runs
     * @param resumed is told of each activation that goes on, the earliest first
     */
    synchronized void attached(
            Definition query, boolean replaces, Consumer<WhenState.Change> resumed) {
        Key key = new Key(query.name(), false);
        Condition old = all.get(key);
        Condition begun = new Condition(query, resumed);
        begin(key, begun);
        if (replaces && old != null && isSame(old.definition.query(), query.query())) {
            begun.state = old.state;
        }
    }

    private static boolean isSame(Query old, Query now) {
        return old.when().equals(now.when()) && old.reads().spread() == now.reads().spread();
    }

    private void begin(Key key, Condition begun) {
        changed = true;
        KeptCondition before = left.remove(key);
        if (before != null && before.getVersion() == begun.definition.version()) {
            try {
                begun.restore(before);
            } catch (IllegalArgumentException unreadable) {
                LOG.warn(UNREADABLE, note);
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
            all.values().forEach(Condition::clear);
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
    synchronized void fired(Query query, WhenState.Change change) {
        Condition condition = all.get(new Key(query.name(), false));
        if (condition != null && isSame(condition.definition.query(), query)) {
            fired(condition, change);
        }
    }

    /** Notes the same for a query that waits elsewhere. */
    synchronized void firedElsewhere(String query, WhenState.Change change) {
        Condition condition = all.get(new Key(query, true));
        if (condition != null) {
            fired(condition, change);
        }
    }

    private void fired(Condition condition, WhenState.Change change) {
        changed = true;
        condition.state.apply(change);
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
        all.values().forEach(each -> each.state.releaseEndedBy(passedNs));
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
        List<WhenState.Change> pending = condition.state.pending();
        if (pending.isEmpty()) {
            return;
        }
        KeptCondition.Builder one =
                kept.addConditionBuilder()
                        .setQuery(key.query())
                        .setVersion(condition.definition.version())
                        .setElsewhere(key.elsewhere())
                        .setState(ByteString.copyFrom(condition.state.bytes()));
        for (WhenState.Change active : pending) {
            if (active.binding().equals(Binding.NONE)) { // as release 0.1 reads it
                one.addActiveBuilder().setFromNs(active.fromNs()).setUntilNs(active.untilNs());
            }
        }
    }
}
