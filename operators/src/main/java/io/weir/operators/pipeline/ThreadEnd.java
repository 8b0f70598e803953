package io.weir.operators.pipeline;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The end of a thread that has been told to stop. */
public final class ThreadEnd {
    private ThreadEnd() {}

    /**
     * Waits for it, however often the caller is interrupted: what the thread uses may be closed
     * next. The interrupt is kept for later.
     */
    public static void await(Thread thread) {
        await(thread, Duration.ZERO);
    }

    /**
     * The same of a thread that may itself wait, for Kafka or for an answer by HTTP. It is
     * interrupted after {@code patience}, and again after each further {@code patience}, so that
     * such a wait ends.
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
     * Waits for so long at most, of a thread whose memory nobody frees but itself.
     *
     * @return whether the thread has ended
     */
    public static boolean awaitAtMost(Thread thread, Duration most) {
        boolean interrupted = false;
        long endNs = System.nanoTime() + most.toNanos();
        long leftMs = most.toMillis();
        while (thread.isAlive() && leftMs > 0) {
            try {
                thread.join(leftMs);
            } catch (InterruptedException wait) {
                interrupted = true;
            }
            leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
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
