package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.graph.Window;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which packets wait, for what, and how long. */
@Timeout(60)
final class SettledThrottleTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long DELAY_NS = 2 * SECOND_NS;
    private static final Window TWO = Window.tumble(2 * SECOND_NS);
    private static final Window THREE = Window.tumble(3 * SECOND_NS);

    private LocalEngine engine;
    private SettledThrottle throttle;
    private volatile boolean stopped;

    @BeforeEach
    void start() {
        engine = new LocalEngine(EngineOptions.DEFAULT, new Account());
        throttle = new SettledThrottle(engine, DELAY_NS, () -> stopped);
        throttle.hold(List.of(TWO, THREE));
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    /** The engine's watermark is there, and its reader waits. */
    private Thread settling(long watermarkNs) throws InterruptedException {
        engine.writers().get(0).flush(watermarkNs);
        Thread reader = new Thread(throttle::settle);
        reader.start();
        reader.join(20);
        return reader;
    }

    @Test
    void theFirstPacketWaitsForAllEndsBefore() throws InterruptedException {
        assertEquals(Long.MIN_VALUE, throttle.holdAtNs());
        Thread reader = settling(5 * SECOND_NS);
        throttle.settled(4 * SECOND_NS - 1); // the last end is 4 s
        reader.join(20);
        assertTrue(reader.isAlive());
        throttle.settled(4 * SECOND_NS);
        reader.join();
        assertEquals(6 * SECOND_NS + DELAY_NS, throttle.holdAtNs());
    }

    @Test
    void whoIsStoppedPassesNothing() throws InterruptedException {
        Thread reader = settling(5 * SECOND_NS);
        stopped = true;
        reader.join();
        assertEquals(Long.MIN_VALUE, throttle.holdAtNs());
    }

    @Test
    void whatNobodyWaitsForPassesAndWhatComesHolds() throws InterruptedException {
        throttle.hold(List.of());
        assertEquals(Long.MAX_VALUE, throttle.holdAtNs());
        settling(5 * SECOND_NS).join();
        throttle.hold(List.of(THREE));
        assertEquals(6 * SECOND_NS + DELAY_NS, throttle.holdAtNs());
    }
}
