package io.weir.cluster.demo;

/**
 * A request to end a command, by Ctrl-C or SIGTERM. An interrupt alone can be lost: JDBC's
 * transport, and libraries, ignore it. Thread-safe.
 */
public final class Stopping {
    private volatile boolean asked;

    /**
     * @param busy the thread that wakes from its wait
     */
    public void ask(Thread busy) {
        asked = true;
        busy.interrupt();
    }

    public boolean isAsked() {
        return asked;
    }

    /** Is called between two steps. */
    public void check() throws InterruptedException {
        if (asked) {
            throw new InterruptedException("asked to stop");
        }
    }
}
