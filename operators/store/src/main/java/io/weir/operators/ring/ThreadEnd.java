package io.weir.operators.ring;

import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.time.Duration;

/** Waits for the end of a thread that has been told to stop. */
public final class ThreadEnd {
    private ThreadEnd() {}

    /**
     * Waits for the thread, however often the caller is interrupted, because the thread's resources
     * may be closed next. The interrupt is kept for later.
     */
    public static void await(Thread thread) {
        await(thread, Duration.ZERO);
    }

    /**
     * Waits for a thread that may itself wait for Kafka or for an answer by HTTP. It interrupts the
     * thread after each {@code patience}, so that such a wait ends.
     *
     * @param patience zero: the thread is never interrupted
     */
    public static void await(Thread thread, Duration patience) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(patience.toMillis());
                if (thread.isAlive()) {
                    thread.interrupt();
                }
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        keep(interrupted);
    }

    /**
     * Waits for a limited time for a thread that frees its own memory.
     *
     * @return whether the thread has ended
     */
    public static boolean awaitAtMost(Thread thread, Duration most) {
        boolean interrupted = false;
        Deadline deadline = Deadline.after(most, Clock.SYSTEM);
        while (thread.isAlive() && !deadline.isOver()) {
            try {
                thread.join(Math.max(1, deadline.leftMs()));
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        keep(interrupted);
        return !thread.isAlive();
    }

    private static void keep(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
