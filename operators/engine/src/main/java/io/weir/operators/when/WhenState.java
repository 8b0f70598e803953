package io.weir.operators.when;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.when.Activations.Activation;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    private static final byte FORMAT = 2;

    private final int mostBindings;
    private final int mostPending;
    private final Map<Binding, Activations> all = new LinkedHashMap<>();

    /** Finds a binding that is over, when the set is full. */
    private final EndOrder ends = new EndOrder();

    private long refused;

    /**
     * An activation that has begun, or whose end has moved.
     *
     * @param fromNs when it begins: this identifies it
     * @param untilNs its end as far as it is known; {@link Long#MAX_VALUE} if none is
     * @param begins whether the activation is new
     */
    public record Change(Binding binding, long fromNs, long untilNs, boolean begins) {
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

    /** Wakes a sleeping query. Returns empty if the set of bindings is full. */
    public Optional<Change> wake(Binding binding, long fromNs, long untilNs) {
        if (!all.containsKey(binding) && isFull(fromNs)) {
            refused++;
            return Optional.empty();
        }
        Activations of = add(binding, new Activation(fromNs, untilNs, mostPending > 0));
        of.awake = true;
        ends.put(binding, of.overNs());
        return Optional.of(new Change(binding, fromNs, untilNs, true));
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
        activation.untilNs = untilNs;
        activation.pending = mostPending > 0;
        activation.tellsEnd |= !activation.tellsBegin;
        ends.put(binding, of.overNs());
        return new Change(binding, activation.fromNs, untilNs, false);
    }

    /** Follows a change of another state with the same rows. */
    public void apply(Change change) {
        Activations of = all.get(change.binding());
        if (of != null && of.last().fromNs == change.fromNs()) {
            move(change.binding(), of, change.untilNs());
        } else {
            wake(change.binding(), change.fromNs(), change.untilNs());
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
            return wake(told.binding(), told.fromNs(), told.untilNs());
        }
        Activation last = of.last();
        long untilNs = ActiveInterval.laterEnd(last.untilNs, told.untilNs());
        return told.fromNs() == last.fromNs && untilNs != last.untilNs
                ? Optional.of(move(told.binding(), of, untilNs))
                : Optional.empty();
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
        return Optional.ofNullable(all.get(binding)).map(of -> change(binding, of.last()));
    }

    private static Change change(Binding binding, Activation activation) {
        return new Change(binding, activation.fromNs, activation.untilNs, true);
    }

    /** Returns the pending activations; those of one binding in order. */
    public List<Change> pending() {
        List<Change> pending = new ArrayList<>();
        all.forEach(
                (binding, of) ->
                        of.inOrder.stream()
                                .filter(one -> one.pending)
                                .forEach(one -> pending.add(change(binding, one))));
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
                    of.inOrder.forEach(one -> take(binding, one, changes));
                    forget(binding, of);
                });
        return changes;
    }

    private static void take(Binding binding, Activation one, List<Change> changes) {
        if (one.tellsBegin && one.counts()) {
            changes.add(new Change(binding, one.fromNs, one.untilNs, true));
        } else if (one.tellsBegin && !one.tellsEnd) {
            one.pending = false;
        }
        if (one.tellsEnd) {
            changes.add(new Change(binding, one.fromNs, one.untilNs, false));
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

    /** Returns how many bindings were refused, because the set was full. */
    public long refused() {
        return refused;
    }

    /**
     * Returns the state as bytes, for the next process.
     *
     * <pre>
     *   format 1, of a query without values: byte awake (0 or 1), the activations
     *   format 2: byte 2, int bindings, then of each: the binding, byte awake,
     *     int pending, the activations
     *   activations: long from and long until of the latest, then of each that is pending
     * </pre>
     *
     * Release 0.1 writes and reads format 1.
     */
    public byte[] bytes() {
        Activations only = all.size() == 1 ? all.get(Binding.NONE) : null;
        if (only != null) {
            ByteBuffer bytes = ByteBuffer.allocate(1 + only.bytes());
            bytes.put(only.awakeByte());
            only.put(bytes);
            return bytes.array();
        }
        int size = 1 + Integer.BYTES;
        for (Map.Entry<Binding, Activations> one : all.entrySet()) {
            size += one.getKey().bytes() + 1 + Integer.BYTES + one.getValue().bytes();
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).put(FORMAT).putInt(all.size());
        all.forEach(
                (binding, of) -> {
                    binding.put(bytes);
                    bytes.put(of.awakeByte()).putInt(of.pending());
                    of.put(bytes);
                });
        return bytes.array();
    }

    /**
     * Takes over the state of an earlier process. Its pending activations are changes to take
     * again: begin and end of each.
     *
     * @throws IllegalArgumentException when these are not the bytes of a state; it is then empty
     */
    public void restore(byte[] stored) {
        clear();
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        try {
            if (bytes.get(0) != FORMAT) {
                int pending = (stored.length - 1) / Activations.ONE_BYTES - 1;
                all.put(Binding.NONE, Activations.read(bytes.get(), pending, bytes));
            } else {
                bytes.get();
                for (int left = bytes.getInt(); left > 0; left--) {
                    Binding binding = Binding.read(bytes);
                    all.put(binding, Activations.read(bytes.get(), bytes.getInt(), bytes));
                }
            }
            all.forEach((binding, of) -> ends.put(binding, of.overNs()));
        } catch (BufferUnderflowException | IndexOutOfBoundsException cutOff) {
            clear();
            throw new IllegalArgumentException("it is cut off", cutOff);
        } catch (IllegalArgumentException unreadable) {
            clear();
            throw unreadable;
        }
    }

    private void clear() {
        all.clear();
        ends.clear();
    }
}
