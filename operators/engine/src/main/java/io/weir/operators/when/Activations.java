package io.weir.operators.when;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The activations of one binding of a {@link WhenState}, the latest last; never empty. As bytes:
 *
 * <pre>
 *   long from and long until of the latest, then of each that is pending
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

        Activation(long fromNs, long untilNs, boolean pending) {
            this.fromNs = fromNs;
            this.untilNs = untilNs;
            this.pending = pending;
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

    int bytes() {
        return (1 + pending()) * ONE_BYTES;
    }

    byte awakeByte() {
        return (byte) (awake ? 1 : 0);
    }

    void put(ByteBuffer into) {
        into.putLong(last().fromNs).putLong(last().untilNs);
        for (Activation one : inOrder) {
            if (one.pending) {
                into.putLong(one.fromNs).putLong(one.untilNs);
            }
        }
    }

    static Activations read(byte awake, int pending, ByteBuffer from) {
        if (awake < 0 || awake > 1 || pending < 0) {
            throw new IllegalArgumentException("format " + awake);
        }
        Activations read = new Activations();
        read.awake = awake == 1;
        Activation last = new Activation(from.getLong(), from.getLong(), false);
        last.tellsBegin = false;
        for (int left = pending; left > 0; left--) {
            Activation one = new Activation(from.getLong(), from.getLong(), true);
            one.tellsEnd = true;
            read.inOrder.add(one);
        }
        if (read.inOrder.isEmpty() || read.last().fromNs != last.fromNs) {
            read.inOrder.add(last);
        }
        return read;
    }

    /** Returns the time after which nobody needs the binding. */
    long overNs() {
        if (inOrder.stream().anyMatch(one -> one.pending)) {
            return Long.MAX_VALUE;
        }
        return awake ? last().untilNs : Long.MIN_VALUE;
    }
}
