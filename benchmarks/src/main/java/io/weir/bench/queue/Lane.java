package io.weir.bench.queue;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jctools.queues.SpscArrayQueue;
import org.jctools.queues.SpscChunkedArrayQueue;
import org.jctools.queues.SpscLinkedQueue;

/** A way to pass numbers from a producer's thread to a consumer's. */
abstract class Lane implements AutoCloseable {
    static final int CAPACITY = 1024;

    /** The number of values passed in turn. They are made before, as GPVs would be. */
    private static final int ITEMS = 4096;

    final boolean yields;

    Lane(boolean yields) {
        this.yields = yields;
    }

    /** Producer: passes the numbers from 0 to {@code count} - 1, each modulo {@link #ITEMS}. */
    abstract void send(int count);

    /** Consumer: takes so many; returns their sum. */
    abstract long receive(int count);

    @Override
    public void close() {}

    /** On one core the other thread runs only when this one yields. */
    @SuppressWarnings("ThreadPriorityCheck")
    final void idle() {
        if (yields) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    static long sumOf(int count) {
        long rounds = count / ITEMS;
        long rest = count % ITEMS;
        return rounds * ITEMS * (ITEMS - 1L) / 2 + rest * (rest - 1) / 2;
    }

    static int item(int i) {
        return i & ITEMS - 1;
    }

    /**
     * @param yields whether a waiting thread yields the core: needed on one core, slow on two
     */
    static Lane of(String kind, boolean yields) {
        return switch (kind) {
            case "lock_array" -> new Blocking(new ArrayBlockingQueue<>(CAPACITY), yields);
            case "lock_linked" -> new Blocking(new LinkedBlockingQueue<>(CAPACITY), yields);
            case "linked" -> new Polled(new ConcurrentLinkedQueue<>(), yields);
            case "agrona_linked" -> new Polled(new ManyToOneConcurrentLinkedQueue<>(), yields);
            case "agrona_array" -> new Polled(new OneToOneConcurrentArrayQueue<>(CAPACITY), yields);
            case "jctools_linked" -> new Polled(new SpscLinkedQueue<>(), yields);
            case "jctools_chunked" -> new Polled(new SpscChunkedArrayQueue<>(CAPACITY), yields);
            case "jctools_array" -> new Polled(new SpscArrayQueue<>(CAPACITY), yields);
            case "ring_messages" -> new RingLane(yields, RingLane.ONE_GPV_BYTES);
            case "ring_blocks" -> new RingLane(yields, RingLane.BLOCK_BYTES);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static Integer[] items() {
        Integer[] items = new Integer[ITEMS];
        for (int i = 0; i < ITEMS; i++) {
            items[i] = i;
        }
        return items;
    }

    /** A lane with a lock, which also serves for waiting. */
    private static final class Blocking extends Lane {
        private final BlockingQueue<Integer> queue;
        private final Integer[] items = items();

        Blocking(BlockingQueue<Integer> queue, boolean yields) {
            super(yields);
            this.queue = queue;
        }

        @Override
        void send(int count) {
            try {
                for (int i = 0; i < count; i++) {
                    queue.put(items[item(i)]);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        long receive(int count) {
            long sum = 0;
            try {
                for (int i = 0; i < count; i++) {
                    sum += queue.take();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return sum;
        }
    }

    /** A lane without a lock. A thread that finds it full or empty idles. */
    private static final class Polled extends Lane {
        private final Queue<Integer> queue;
        private final Integer[] items = items();

        Polled(Queue<Integer> queue, boolean yields) {
            super(yields);
            this.queue = queue;
        }

        @Override
        void send(int count) {
            for (int i = 0; i < count; i++) {
                while (!queue.offer(items[item(i)])) {
                    idle();
                }
            }
        }

        @Override
        long receive(int count) {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                Integer item = queue.poll();
                while (item == null) {
                    idle();
                    item = queue.poll();
                }
                sum += item;
            }
            return sum;
        }
    }
}
