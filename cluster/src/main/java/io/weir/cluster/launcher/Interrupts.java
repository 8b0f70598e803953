package io.weir.cluster.launcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in good order when it is interrupted: asks it to stop, and holds the end of
 * the process until it has.
 */
final class Interrupts {
    private static final long PATIENCE_S = 40;

    private final CountDownLatch latch = new CountDownLatch(1);

    private Interrupts(Runnable stop) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    stop.run();
                                    await();
                                },
                                "weir-shutdown"));
    }

    static Interrupts on(Runnable stop) {
        return new Interrupts(stop);
    }

    private void await() {
        try {
            latch.await(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has ended. */
    void ended() {
        latch.countDown();
    }
}
