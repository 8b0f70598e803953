package io.weir.operators.sketch;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The sketches of one pane's groups. A group's state word is a <em>handle</em>: the pool's number
 * in the high half, the sketch's in the low one. So generated code and native memory hold no
 * objects. Pools are numbered process-wide.
 *
 * <p>Bounded in bytes. A sketch without room is refused and counted, and the group's result is
 * NULL. Owned by one thread at a time, as its pane is. Only new groups and growing sketches
 * allocate.
 */
public final class SketchPool implements AutoCloseable {
    /**
     * The initial value of a state word: the handle of no sketch, in an unknown pool. {@link
     * #bound} replaces it by one with a pool. No fold begins a number like this.
     */
    public static final long UNBOUND = 0x7FFF_5EED_0000_0000L;

    private static final int MOST_POOLS = 1 << 16;
    private static final int FIRST_SKETCHES = 16;
    private static final long INDEX_MASK = 0xFFFF_FFFFL;

    /** The number of a sketch that had no room. */
    private static final long REFUSED = INDEX_MASK;

    /** The bound of all pools together. Sketches on the heap must leave room for the rest. */
    private static final long MOST_HELD = Runtime.getRuntime().maxMemory() / 2;

    private static final AtomicLong HELD = new AtomicLong();

    private static final AtomicReferenceArray<SketchPool> POOLS =
            new AtomicReferenceArray<>(MOST_POOLS);

    private static final ArrayDeque<Integer> RETURNED = new ArrayDeque<>();

    /** No pool is 0: a word that was never begun is of no pool. */
    private static int numbersGiven = 1;

    private final int number;
    private final long maxBytes;
    private Sketch[] sketches = new Sketch[FIRST_SKETCHES];

    /** Sketches are numbered from 1. */
    private int last;

    private long bytes;
    private long refusals;

    /**
     * @param maxBytes bound of the sketches; one that grows may exceed it for a moment
     * @throws WeirException NOT_SUPPORTED when there are too many panes with sketches
     */
    public SketchPool(long maxBytes) {
        this.maxBytes = maxBytes;
        synchronized (RETURNED) {
            if (RETURNED.isEmpty() && numbersGiven == MOST_POOLS) {
                throw new WeirException(
                        ErrorCode.NOT_SUPPORTED,
                        "more than " + MOST_POOLS + " panes with approximate aggregates",
                        "let windows overlap less");
            }
            number = RETURNED.isEmpty() ? numbersGiven++ : RETURNED.pop();
        }
        POOLS.set(number, this);
    }

    /** Returns the initial value of a state word in this pool's pane. */
    public long bound(long initial) {
        return initial == UNBOUND ? (long) number << Integer.SIZE : initial;
    }

    /** Returns whether a state word's initial value makes it a handle. */
    public static boolean isHandle(Object initial) {
        return Long.valueOf(UNBOUND).equals(initial);
    }

    static SketchPool of(long handle) {
        return POOLS.get((int) (handle >>> Integer.SIZE));
    }

    /** Returns the sketch of a handle; null if there is none. */
    static Sketch sketch(long handle) {
        long index = handle & INDEX_MASK;
        return index == 0 || index == REFUSED ? null : of(handle).sketches[(int) index];
    }

    static boolean isRefused(long handle) {
        return (handle & INDEX_MASK) == REFUSED;
    }

    static boolean isNone(long handle) {
        return (handle & INDEX_MASK) == 0;
    }

    static long refused(long handle) {
        return handle | REFUSED;
    }

    /** Counts an update that found no room. */
    void refuse() {
        refusals++;
    }

    /**
     * Counts the growth of a sketch.
     *
     * @return its handle; a refused one if there is no room: the sketch is gone then
     */
    static long counted(long handle) {
        return of(handle).recounted(handle, sketch(handle));
    }

    private long recounted(long handle, Sketch sketch) {
        int held = sketch.heldBytes();
        if (take(held - sketch.countedBytes)) {
            sketch.countedBytes = held;
            return handle;
        }
        take(-sketch.countedBytes);
        sketches[(int) (handle & INDEX_MASK)] = null;
        refusals++;
        return refused(handle);
    }

    private boolean take(long more) {
        if (more > 0 && (bytes + more > maxBytes || HELD.get() + more > MOST_HELD)) {
            return false;
        }
        bytes += more;
        HELD.addAndGet(more);
        return true;
    }

    /** Returns the handle of a new sketch; a refused one without room. */
    long add(Sketch sketch) {
        int held = sketch.heldBytes();
        if (last == Integer.MAX_VALUE - 8 || !take(held)) {
            return refused((long) number << Integer.SIZE);
        }
        sketch.countedBytes = held;
        last++;
        if (last == sketches.length) {
            sketches = Arrays.copyOf(sketches, last * 2);
        }
        sketches[last] = sketch;
        return (long) number << Integer.SIZE | last;
    }

    /** Returns the heap that the sketches may take. */
    public long bytes() {
        return bytes;
    }

    /** Returns the number of updates and merges that found no room. */
    public long refusals() {
        return refusals;
    }

    /** Idempotent. Handles are invalid from now on. */
    @Override
    public void close() {
        if (sketches != null) {
            sketches = null;
            take(-bytes);
            POOLS.set(number, null);
            synchronized (RETURNED) {
                RETURNED.push(number);
            }
        }
    }
}
