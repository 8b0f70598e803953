package io.weir.operators.when;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The activations of one binding of a {@link WhenState}, the latest last; never empty. As bytes:
 *
 * <pre>
 *   long from and long until of the latest, then of each that is pending; if there are values,
 *   after each: byte 1 and its Waking, or byte 0
 * </pre>
 */
final class Activations {
    /** The bytes of one activation. */
    static final int ONE_BYTES = 2 * Long.BYTES;

    final Deque<Activation> inOrder = new ArrayDeque<>();
    boolean awake;

    /** An activation, which its begin identifies. */
    static final class Activation {
        final long fromNs;
        long untilNs;

        /** True while the owner needs it. */
        boolean pending;

        /** True until its begin, or its end, is taken as a change. */
        boolean tellsBegin = true;

        boolean tellsEnd;

        /** Null for a query without values. */
        Waking waking;

        Activation(long fromNs, long untilNs, boolean pending, Waking waking) {
            this.fromNs = fromNs;
            this.untilNs = untilNs;
            this.pending = pending;
            this.waking = waking;
        }

        boolean counts() {
            return untilNs > fromNs;
        }
    }

    Activation last() {
        return inOrder.getLast();
    }

    int pending() {
        return (int) inOrder.stream().filter(one -> one.pending).count();
    }

    /**
     * Returns the number of its bytes.
     *
     * @param valued whether activations have values
     */
    int bytes(boolean valued) {
        int size = size(last(), valued);
        for (Activation one : inOrder) {
            size += one.pending ? size(one, valued) : 0;
        }
        return size;
    }

    private static int size(Activation one, boolean valued) {
        int values = one.waking == null ? 0 : one.waking.size();
        return ONE_BYTES + (valued ? 1 + values : 0);
    }

    byte awakeByte() {
        return (byte) (awake ? 1 : 0);
    }

    void put(ByteBuffer into, boolean valued) {
        put(last(), into, valued);
        for (Activation one : inOrder) {
            if (one.pending) {
                put(one, into, valued);
            }
        }
    }

    private static void put(Activation one, ByteBuffer into, boolean valued) {
        into.putLong(one.fromNs).putLong(one.untilNs);
        if (valued) {
            into.put((byte) (one.waking == null ? 0 : 1));
            if (one.waking != null) {
                one.waking.put(into);
            }
        }
    }

    static Activations read(byte awake, int pending, ByteBuffer from, boolean valued) {
        if (awake < 0 || awake > 1 || pending < 0) {
            throw new IllegalArgumentException("format " + awake);
        }
        Activations read = new Activations();
        read.awake = awake == 1;
        Activation last = read(from, false, valued);
        last.tellsBegin = false;
        for (int left = pending; left > 0; left--) {
            Activation one = read(from, true, valued);
            one.tellsEnd = true;
            read.inOrder.add(one);
        }
        if (read.inOrder.isEmpty() || read.last().fromNs != last.fromNs) {
            read.inOrder.add(last);
        }
        return read;
    }

    private static Activation read(ByteBuffer from, boolean pending, boolean valued) {
        long fromNs = from.getLong();
        long untilNs = from.getLong();
        Waking waking = valued && isThere(from.get()) ? Waking.read(from) : null;
        return new Activation(fromNs, untilNs, pending, waking);
    }

    private static boolean isThere(byte flag) {
        if (flag < 0 || flag > 1) {
            throw new IllegalArgumentException("values " + flag);
        }
        return flag == 1;
    }

    /** Returns the time after which nobody needs the binding. */
    long overNs() {
        if (inOrder.stream().anyMatch(one -> one.pending)) {
            return Long.MAX_VALUE;
        }
        return awake ? last().untilNs : Long.MIN_VALUE;
    }
}
