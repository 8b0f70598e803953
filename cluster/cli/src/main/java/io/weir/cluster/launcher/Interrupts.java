package io.weir.cluster.launcher;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets a command end in order when it is interrupted. It asks the command to stop, and delays the
 * end of the process until it has.
 */
public final class Interrupts {
    private static final long PATIENCE_S = 40;

    private final CountDownLatch latch = new CountDownLatch(1);

    private Interrupts(BooleanSupplier stop) {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    if (stop.getAsBoolean()) {
                                        await();
                                    }
                                },
                                "weir-shutdown"));
    }

    public static Interrupts on(Runnable stop) {
        return new Interrupts(
                () -> {
                    stop.run();
                    return true;
                });
    }

    /**
     * @param stop tells whether there is anything that ends in order
     */
    static Interrupts asking(BooleanSupplier stop) {
        return new Interrupts(stop);
    }

    private void await() {
        try {
            latch.await(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Notes that the command has ended. */
    public void ended() {
        latch.countDown();
    }
}
