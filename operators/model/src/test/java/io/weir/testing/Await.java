package io.weir.testing;

import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits in tests for what other threads or processes do. It looks again and again. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LONGEST_PAUSE_MS = 50;

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    /** Waits for two minutes at most. */
    public static void until(Condition condition) {
        until(condition, () -> "it does not come");
    }

    /**
     * Waits for two minutes at most.
     *
     * @param found says how it is instead
     */
    public static void until(Condition condition, Callable<?> found) {
        until(PATIENCE, condition, found);
    }

    /** Waits for so long at most. */
    public static void until(Duration patience, Condition condition, Callable<?> found) {
        Deadline deadline = Deadline.afterMs(patience.toMillis());
        try {
            for (long ms = 1; !condition.holds(); ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
                if (deadline.isOver()) {
                    throw new AssertionError("waited for " + patience + ": " + found.call());
                }
                Thread.sleep(ms);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
