package io.weir.cluster.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.time.ManualClock;
import io.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for whom when passwords are checked. */
@Timeout(60)
class LoginQueueTest {
    private final ManualClock clock = new ManualClock();
    private final LoginQueue queue = new LoginQueue(clock);
    private final List<String> turns = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Waits in a thread of its own; its turn is over at once. */
    private void ask(String address, String name) throws InterruptedException {
        int before = queue.waiting() + refused.get();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                queue.enter(address, name);
                                turns.add(address + name);
                                queue.leave(address, name, false);
                            } catch (Busy e) {
                                refused.incrementAndGet();
                            }
                        });
        threads.add(thread);
        thread.start();
        Await.until(() -> queue.waiting() + refused.get() != before || !thread.isAlive());
    }

    private void failed(String address, String name, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            queue.enter(address, name);
            queue.leave(address, name, false);
        }
    }

    @Test
    void addressesTakeTurns() throws Exception {
        queue.enter("x", "x");
        for (int i = 0; i < 4; i++) {
            ask("a", "m" + i);
        }
        ask("b", "n");
        queue.leave("x", "x", true);
        join();
        assertEquals("bn", turns.get(1), turns.toString());
        assertEquals(5, turns.size());
    }

    /** Also of one address, as of all clients of the loopback. */
    @Test
    void wrongPasswordsOfOneNameLetOthersPass() throws Exception {
        failed("a", "eve", 3);
        queue.enter("x", "x");
        for (int i = 0; i < 40; i++) {
            ask("a", "eve");
        }
        assertEquals(40 - LoginQueue.MOST_OF_LOGIN, refused.get());
        ask("a", "bob");
        queue.leave("x", "x", true);
        join();
        assertEquals("abob", turns.get(0), turns.toString());
    }

    @Test
    void whoWasRightGoesBeforeNewNames() throws Exception {
        queue.enter("a", "bob");
        queue.leave("a", "bob", true);
        queue.enter("x", "x");
        for (int i = 0; i < 100; i++) {
            ask("a", "guess" + i);
        }
        ask("a", "bob");
        assertEquals(LoginQueue.MOST_OF_ADDRESS, queue.waiting());
        queue.leave("x", "x", true);
        join();
        assertEquals("abob", turns.get(0), turns.toString());
    }

    @Test
    void manyAddressesLeaveRoomForOneMore() throws Exception {
        queue.enter("x", "x");
        for (int i = 0; i < LoginQueue.MOST_WAITING; i++) {
            ask("a" + i % 8, "m" + i);
        }
        assertEquals(LoginQueue.MOST_WAITING, queue.waiting());
        ask("b", "n");
        assertEquals(LoginQueue.MOST_WAITING, queue.waiting());
        queue.leave("x", "x", true);
        join();
        assertTrue(turns.indexOf("bn") <= 8, turns.toString());
        assertEquals(1, refused.get());
    }

    @Test
    void wrongPasswordsAreForgotten() throws Exception {
        failed("a", "eve", 3);
        failed("a", "bob", 1);
        clock.pass(Duration.ofMinutes(10));
        failed("a", "bob", 1);
        queue.enter("x", "x");
        ask("a", "bob");
        ask("a", "eve");
        queue.leave("x", "x", true);
        join();
        assertEquals(List.of("aeve", "abob"), turns);
    }

    @Test
    void anInterruptedOneGivesItsPlaceUp() throws Exception {
        queue.enter("x", "x");
        ask("a", "m");
        threads.get(0).interrupt();
        join();
        assertEquals(0, queue.waiting());
        queue.leave("x", "x", false);
        queue.enter("a", "m");
        queue.leave("a", "m", true);
    }
}
