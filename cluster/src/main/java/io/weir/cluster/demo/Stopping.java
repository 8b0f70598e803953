package io.weir.cluster.demo;

/**
 * Whether a command was asked to end, by Ctrl-C or SIGTERM. An interrupt alone can be lost: JDBC's
 * transport, and libraries, swallow it. Thread-safe.
 */
public final class Stopping {
    private volatile boolean asked;

    /**
     * @param busy wakes from what it waits for
     */
    public void ask(Thread busy) {
        asked = true;
        busy.interrupt();
    }

    public boolean isAsked() {
        return asked;
    }

    /** Between two things to do. */
    public void check() throws InterruptedException {
        if (asked) {
            throw new InterruptedException("asked to stop");
        }
    }
}
