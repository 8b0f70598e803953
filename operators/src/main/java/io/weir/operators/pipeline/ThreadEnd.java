package io.weir.operators.pipeline;

/** The end of a thread that has been told to stop. */
public final class ThreadEnd {
    private ThreadEnd() {}

    /**
     * Waits for it, however often the caller is interrupted: what the thread uses may be closed
     * next. The interrupt is kept for later.
     */
    public static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException wait) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
