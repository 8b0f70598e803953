package io.weir.cluster.merge;

import io.weir.cluster.trigger.TriggerWriter;
import io.weir.cluster.trigger.Triggers;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Activations of one query that other processes may not know yet. Triggers are written while the
 * rows that fire them are committed, and neither waits for the other. These activations are stored
 * with the commit, and the next owner publishes them again. Beyond {@value #MOST} the oldest are
 * not kept. The stream's thread.
 *
 * <pre>
 *   long from, long until, of each
 * </pre>
 */
final class PendingTriggers implements Triggers {
    static final int MOST = 1024;

    private final TriggerWriter writer;
    private final Deque<Activation> all = new ArrayDeque<>();

    /** The activations that were written, by the writer's threads. */
    private final Queue<Activation> written = new ConcurrentLinkedQueue<>();

    private static final class Activation {
        final long fromNs;
        long untilNs;
        int unwritten;

        Activation(long fromNs, long untilNs) {
            this.fromNs = fromNs;
            this.untilNs = untilNs;
        }
    }

    PendingTriggers(TriggerWriter writer) {
        this.writer = writer;
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        Activation activation = add(fromNs, untilNs);
        activation.unwritten++;
        writer.wake(query, version, fromNs, untilNs, () -> written.add(activation));
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        Activation last = all.peekLast();
        boolean isLast = last != null && last.fromNs == fromNs;
        Activation activation = isLast ? last : add(fromNs, untilNs);
        activation.untilNs = untilNs;
        activation.unwritten++;
        writer.until(query, version, fromNs, untilNs, () -> written.add(activation));
    }

    private Activation add(long fromNs, long untilNs) {
        Activation activation = new Activation(fromNs, untilNs);
        if (all.size() == MOST) {
            all.removeFirst();
        }
        all.add(activation);
        return activation;
    }

    @Override
    public void settled(long settledNs) {
        writer.settled(settledNs);
    }

    /** Removes the activations that were written. Returns whether there were any. */
    boolean forgetWritten() {
        boolean any = false;
        for (Activation one = written.poll(); one != null; one = written.poll()) {
            any = true;
            one.unwritten--;
        }
        if (any) {
            all.removeIf(activation -> activation.unwritten == 0);
        }
        return any;
    }

    int bytes() {
        return all.size() * 2 * Long.BYTES;
    }

    void put(ByteBuffer into) {
        for (Iterator<Activation> each = all.iterator(); each.hasNext(); ) {
            Activation activation = each.next();
            into.putLong(activation.fromNs).putLong(activation.untilNs);
        }
    }

    /**
     * Publishes the stored activations again, in order. A reader that knows the begin learns the
     * current end. A reader that knows a later one ignores both.
     */
    void tellAgain(String query, long version, ByteBuffer from) {
        while (from.remaining() >= 2 * Long.BYTES) {
            long fromNs = from.getLong();
            long untilNs = from.getLong();
            if (untilNs > fromNs) {
                wake(query, version, fromNs, untilNs);
            }
            until(query, version, fromNs, untilNs);
        }
    }
}
