package io.weir.operators.pipeline;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.ring.ThreadEnd;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadEndTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final CountDownLatch never = new CountDownLatch(1);

    private Thread waiting() {
        Thread thread = new Thread(this::waitForEver);
        thread.start();
        return thread;
    }

    private void waitForEver() {
        try {
            never.await();
        } catch (InterruptedException told) {
            return;
        }
    }

    @Test
    void aThreadThatWaitsForOthersIsInterrupted() {
        Thread thread = waiting();
        ThreadEnd.await(thread, SHORT);
        assertFalse(thread.isAlive());
    }

    @Test
    void oneThatDoesNotEndIsLeftAlone() {
        Thread thread = waiting();
        assertFalse(ThreadEnd.awaitAtMost(thread, SHORT));
        never.countDown();
        assertTrue(ThreadEnd.awaitAtMost(thread, Duration.ofSeconds(30)));
    }

    @Test
    void anInterruptOfWhoWaitsIsKept() {
        Thread thread = waiting();
        Thread.currentThread().interrupt();
        ThreadEnd.await(thread, SHORT);
        assertFalse(thread.isAlive());
        assertTrue(Thread.interrupted());
    }
}
