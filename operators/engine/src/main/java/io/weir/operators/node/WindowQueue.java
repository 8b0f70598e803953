package io.weir.operators.node;

import io.weir.operators.result.ClosedWindow;
import java.util.function.Consumer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Closed windows of one pipeline on their way to the results' thread. Bounded: the pipeline waits
 * while it is full, and finally the source waits too.
 */
final class WindowQueue implements WindowHandover {
    private static final int CAPACITY = 1024;

    private final OneToOneConcurrentArrayQueue<ClosedWindow> queue =
            new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private final IdleStrategy idle;
    private final Failure failure;
    private volatile boolean closed;

    WindowQueue(IdleStrategy idle, Failure failure) {
        this.idle = idle;
        this.failure = failure;
    }

    @Override
    public void put(ClosedWindow window) {
        idle.reset();
        while (!queue.offer(window)) {
            if (closed || failure.isSet()) {
                free(window);
                return;
            }
            idle.idle();
        }
    }

    /** The results' thread: hands all waiting windows on. Returns their number. */
    int drain(Consumer<ClosedWindow> consumer) {
        return queue.drain(consumer);
    }

    /** Frees windows from now on instead of waiting for room. */
    void stop() {
        closed = true;
    }

    /** Frees the waiting windows. Both threads have ended. */
    void clear() {
        queue.drain(WindowQueue::free);
    }

    private static void free(ClosedWindow window) {
        if (window.partial() != null) {
            window.partial().close();
        }
    }
}
