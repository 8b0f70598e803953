package io.weir.cluster.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What waits between a query and its client, and for how long. */
class RowQueueTest {
    private static final long FOR_EVER_NS = Long.MAX_VALUE;

    private final RowQueue queue = new RowQueue(4);

    /** A fetch that sat out its time would never come back here. */
    @Test
    void aFetchEndsWithTheFirstRow() throws Exception {
        CompletableFuture<RowQueue.Fetched> fetch = CompletableFuture.supplyAsync(this::take);
        assertTrue(queue.put(new Object[] {1L}));
        RowQueue.Fetched taken = fetch.get(1, TimeUnit.MINUTES);
        assertEquals(1, taken.rows().size());
        assertFalse(taken.done());
    }

    private RowQueue.Fetched take() {
        try {
            return queue.take(10, FOR_EVER_NS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFetchThatFindsNothingComesBackEmpty() throws InterruptedException {
        assertEquals(new RowQueue.Fetched(List.of(), false), queue.take(10, 1));
    }

    @Test
    void theLastRowsSayThatTheyAre() throws InterruptedException {
        assertTrue(queue.put(new Object[] {1L}));
        queue.end(null);
        RowQueue.Fetched last = queue.take(10, FOR_EVER_NS);
        assertEquals(1, last.rows().size());
        assertTrue(last.done());
    }
}
