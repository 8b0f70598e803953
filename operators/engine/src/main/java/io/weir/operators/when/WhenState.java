package io.weir.operators.when;

import io.weir.operators.graph.WindowEnds;
import io.weir.operators.when.Activations.Activation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of one query with WHEN: by binding, whether it is awake, and its activations. The
 * engine, a worker, the merge and the topic of triggers all hold this state, or changes of it.
 *
 * <ul>
 *   <li>A process that tests rows calls {@link #isAwake}, and then {@link #wake}, {@link #end} or
 *       {@link #renew}.
 *   <li>A process that follows these changes in order calls {@link #apply}.
 *   <li>A process that hears of them in any order, and perhaps again, calls {@link #report}.
 * </ul>
 *
 * The latest activation of each binding stays. An earlier one stays while it is pending: until the
 * owner {@link #release releases} it. The state goes from process to process as {@link #bytes}. One
 * thread at a time.
 */
public final class WhenState {
    private static final Comparator<Change> BY_NUMBER =
            Comparator.comparingLong(change -> change.waking().map(Waking::number).orElse(0L));

    private final int mostBindings;
    private final int mostPending;
    private final Map<Binding, Activations> all = new LinkedHashMap<>();

    /** Finds a binding that is over, when the set is full. */
    private final EndOrder ends = new EndOrder();

    private final Wakings wakings = new Wakings();

    private long refused;

    /**
     * An activation that has begun, or whose end has moved.
     *
     * @param fromNs when it begins: this identifies it
     * @param untilNs its end as far as it is known; {@link Long#MAX_VALUE} if none is
     * @param begins whether the activation is new
     * @param closed whether the end is final: a row has met UNTIL, or a later activation has begun
     * @param waking its facts; empty for a query without values
     */
    public record Change(
            Binding binding,
            long fromNs,
            long untilNs,
            boolean begins,
            boolean closed,
            Optional<Waking> waking) {
        /** Makes a change without facts. */
        public Change(Binding binding, long fromNs, long untilNs, boolean begins) {
            this(binding, fromNs, untilNs, begins, false, Optional.empty());
        }

        /** Makes the change of a query that wakes, without values. */
        public static Change wake(long fromNs, long untilNs) {
            return new Change(Binding.NONE, fromNs, untilNs, true);
        }

        /** Makes the change of an activation that ends then, without values. */
        public static Change until(long fromNs, long untilNs) {
            return new Change(Binding.NONE, fromNs, untilNs, false);
        }

        /** Returns whether the activation has any time in which packets count. */
        public boolean counts() {
            return untilNs > fromNs;
        }
    }

    /**
     * @param mostBindings at least 1; further ones are refused, and counted
     * @param mostPending of each binding; 0 if the owner needs the latest activation only
     */
    public WhenState(int mostBindings, int mostPending) {
        this.mostBindings = mostBindings;
        this.mostPending = mostPending;
    }

    /** Makes the state of a query without values, for an owner that needs its latest activation. */
    public static WhenState latest() {
        return new WhenState(1, 0);
    }

    /**
     * Returns whether it is awake for a row that acts at this time. An activation that FOR has
     * ended before is over from then on, also for rows that act earlier.
     */
    public boolean isAwake(Binding binding, long actsAtNs) {
        Activations of = all.get(binding);
        if (of == null) {
            return false;
        }
        if (of.awake && actsAtNs > of.last().untilNs) {
            of.awake = false;
            ends.put(binding, of.overNs());
        }
        return of.awake;
    }

    /** Returns whether it is awake, as far as rows have shown. */
    public boolean isAwake(Binding binding) {
        return isAwake(binding, Long.MIN_VALUE);
    }

    /** Wakes a sleeping query by a row without values. Returns empty if the set is full. */
    public Optional<Change> wake(Binding binding, long fromNs, long untilNs) {
        return wake(binding, fromNs, untilNs, List.of());
    }

    /**
     * Wakes a sleeping query. Returns empty if the set of bindings is full.
     *
     * @param values of the row, in the order of the correlation
     */
    public Optional<Change> wake(Binding binding, long fromNs, long untilNs, List<Object> values) {
        if (isRefused(binding, fromNs)) {
            return Optional.empty();
        }
        boolean valued = !binding.equals(Binding.NONE);
        Waking waking = valued ? wakings.next(fromNs, untilNs, values) : null;
        return Optional.of(begin(binding, fromNs, untilNs, waking));
    }

    /** Begins an activation that another state has begun. */
    private Optional<Change> follow(Change told) {
        boolean valued = !told.binding().equals(Binding.NONE);
        if (valued && told.waking().isEmpty() || isRefused(told.binding(), told.fromNs())) {
            return Optional.empty();
        }
        told.waking().ifPresent(waking -> wakings.follow(waking, told.untilNs()));
        Waking waking = told.waking().orElse(null);
        Change begun = begin(told.binding(), told.fromNs(), told.untilNs(), waking);
        close(told);
        return Optional.of(begun);
    }

    private boolean isRefused(Binding binding, long fromNs) {
        boolean full = !all.containsKey(binding) && isFull(fromNs);
        refused += full ? 1 : 0;
        return full;
    }

    private Change begin(Binding binding, long fromNs, long untilNs, Waking waking) {
        Activation begun = new Activation(fromNs, untilNs, mostPending > 0, waking);
        Activations of = add(binding, begun);
        of.awake = true;
        ends.put(binding, of.overNs());
        return change(binding, of, begun, true);
    }

    /** Notes that an end is final, of an activation that has facts. */
    private void close(Change told) {
        if (told.closed() && told.waking().isPresent()) {
            Activations of = all.get(told.binding());
            of.awake = false;
            ends.put(told.binding(), of.overNs());
        }
    }

    /** Forgets a binding that is over, if the set is full. Returns whether it is still full. */
    private boolean isFull(long timeNs) {
        if (all.size() < mostBindings) {
            return false;
        }
        Optional<Binding> over = ends.takeBefore(timeNs);
        over.ifPresent(all::remove);
        return over.isEmpty();
    }

    private Activations add(Binding binding, Activation begun) {
        Activations of = all.computeIfAbsent(binding, b -> new Activations());
        if (!of.inOrder.isEmpty() && !of.last().pending) {
            of.inOrder.removeLast(); // it stayed only because no later one was known
        } else if (of.inOrder.size() >= Math.max(1, mostPending)) {
            of.inOrder.removeFirst();
        }
        of.inOrder.addLast(begun);
        return of;
    }

    /** Ends an awake query by UNTIL. */
    public Optional<Change> end(Binding binding, long untilNs) {
        Activations of = all.get(binding);
        of.awake = false;
        return Optional.of(move(binding, of, untilNs));
    }

    /** Lets an awake query end later. Rows of longer windows come before rows of earlier ones. */
    public Optional<Change> renew(Binding binding, long untilNs) {
        Activations of = all.get(binding);
        return untilNs > of.last().untilNs
                ? Optional.of(move(binding, of, untilNs))
                : Optional.empty();
    }

    /** Moves the end of a binding's latest activation. */
    private Change move(Binding binding, Activations of, long untilNs) {
        Activation activation = of.last();
        if (activation.waking != null) {
            wakings.moved(activation.waking, activation.untilNs, untilNs);
        }
        activation.untilNs = untilNs;
        activation.pending = mostPending > 0;
        activation.tellsEnd |= !activation.tellsBegin;
        ends.put(binding, of.overNs());
        return change(binding, of, activation, false);
    }

    /** Follows a change of another state with the same rows. */
    public void apply(Change change) {
        Activations of = all.get(change.binding());
        if (of != null && of.last().fromNs == change.fromNs()) {
            if (change.begins()) { // rows of one window have woken, ended and woken it
                of.last().waking = change.waking().orElse(null);
            }
            move(change.binding(), of, change.untilNs());
            close(change);
        } else {
            follow(change);
        }
    }

    /**
     * Takes a change that was made in another process. Changes come in any order, and perhaps
     * again. An activation before the latest is a repetition, or late. UNTIL gives an end if none
     * was known. FOR ends at the latest of its renewals.
     *
     * @return the change that this makes here, if it makes one
     */
    public Optional<Change> report(Change told) {
        Activations of = all.get(told.binding());
        if (of == null || told.fromNs() > of.last().fromNs) {
            return follow(told);
        }
        Activation last = of.last();
        boolean isFinal = last.waking != null && (told.closed() || !of.awake);
        if (told.fromNs() != last.fromNs || isFinal && !of.awake) {
            return Optional.empty();
        }
        long untilNs = isFinal ? told.untilNs() : WindowEnds.laterEnd(last.untilNs, told.untilNs());
        close(told);
        return untilNs == last.untilNs
                ? Optional.empty()
                : Optional.of(move(told.binding(), of, untilNs));
    }

    /**
     * Takes over an activation from a process that has ended, and what is known of its end. Readers
     * know both.
     */
    public void resume(Change activation, boolean isAwake) {
        apply(activation);
        Activations of = all.get(activation.binding());
        of.awake = isAwake;
        of.last().tellsBegin = false;
        of.last().tellsEnd = false;
        ends.put(activation.binding(), of.overNs());
    }

    /** Returns the latest activation of a binding. */
    public Optional<Change> last(Binding binding) {
        return Optional.ofNullable(all.get(binding))
                .map(of -> change(binding, of, of.last(), true));
    }

    /** Returns the latest activation of each binding, in the order in which they began. */
    public List<Change> latestOfEach() {
        List<Change> latest = new ArrayList<>();
        all.forEach((binding, of) -> latest.add(change(binding, of, of.last(), true)));
        latest.sort(BY_NUMBER);
        return latest;
    }

    private static Change change(
            Binding binding, Activations of, Activation activation, boolean begins) {
        Optional<Waking> waking = Optional.ofNullable(activation.waking);
        boolean closed = waking.isPresent() && (activation != of.last() || !of.awake);
        return new Change(binding, activation.fromNs, activation.untilNs, begins, closed, waking);
    }

    /** Returns the pending activations; those of one binding in order. */
    public List<Change> pending() {
        List<Change> pending = new ArrayList<>();
        all.forEach(
                (binding, of) ->
                        of.inOrder.stream()
                                .filter(one -> one.pending)
                                .forEach(one -> pending.add(change(binding, of, one, true))));
        pending.sort(BY_NUMBER);
        return pending;
    }

    /**
     * Takes the changes since the last call, for readers in other processes. Rows of one window can
     * wake a query, end it and wake it again. A reader of two wakes at one time would take the
     * second for a repetition of the first. So an activation that never counted is left out.
     */
    public List<Change> takeChanges() {
        List<Change> changes = new ArrayList<>();
        all.forEach(
                (binding, of) -> {
                    of.inOrder.forEach(one -> take(binding, of, one, changes));
                    forget(binding, of);
                });
        changes.sort(BY_NUMBER); // those of one activation stay in order
        return changes;
    }

    private static void take(
            Binding binding, Activations of, Activation one, List<Change> changes) {
        if (one.tellsBegin && one.counts()) {
            changes.add(change(binding, of, one, true));
        } else if (one.tellsBegin && !one.tellsEnd) {
            one.pending = false;
        }
        if (one.tellsEnd) {
            changes.add(change(binding, of, one, false));
        }
        one.tellsBegin = false;
        one.tellsEnd = false;
    }

    private void forget(Binding binding, Activations of) {
        of.inOrder.removeIf(one -> !one.pending && one != of.last());
        ends.put(binding, of.overNs());
    }

    /** Releases an activation: its owner no longer needs it. */
    public void release(Change activation) {
        Activations of = all.get(activation.binding());
        if (of != null) {
            of.inOrder.stream()
                    .filter(one -> one.fromNs == activation.fromNs())
                    .forEach(one -> one.pending = false);
            forget(activation.binding(), of);
        }
    }

    /** Releases all activations that end by this time. */
    public void releaseEndedBy(long timeNs) {
        all.forEach(
                (binding, of) -> {
                    of.inOrder.stream()
                            .filter(one -> one.untilNs <= timeNs)
                            .forEach(one -> one.pending = false);
                    forget(binding, of);
                });
    }

    /** Forgets bindings that were over before that time, though there is room. */
    public void forgetOver(long timeNs) {
        Optional<Binding> over = ends.takeBefore(timeNs);
        while (over.isPresent()) {
            all.remove(over.get());
            over = ends.takeBefore(timeNs);
        }
    }

    /** Returns how many bindings were refused, because the set was full. */
    public long refused() {
        return refused;
    }

    /** Returns the state as bytes, for the next process. Release 0.1 reads those without values. */
    public byte[] bytes() {
        return StateBytes.of(all);
    }

    /**
     * Takes over the state of an earlier process. Its pending activations are changes to take
     * again: begin and end of each.
     *
     * @throws IllegalArgumentException when these are not the bytes of a state; it is then empty
     */
    public void restore(byte[] stored) {
        clear();
        all.putAll(StateBytes.read(stored));
        all.forEach((binding, of) -> ends.put(binding, of.overNs()));
        for (Change one : latestOfEach()) {
            one.waking().ifPresent(waking -> wakings.follow(waking, one.untilNs()));
        }
    }

    private void clear() {
        all.clear();
        ends.clear();
        wakings.clear();
    }
}
