package io.weir.cluster.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.time.Clock;
import io.weir.testing.LogLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sink that hangs, as a folder does whose disk does not answer. */
@Timeout(120)
class AsyncSinkTest {
    private static final Query QUERY = Batches.query("q", Batches.column("n", Kind.BIGINT));
    private static final int BATCH_ROWS = 100_000;

    private final NativeAllocator allocator = new NativeAllocator(1 << 24);
    private final Account account = new Account();
    private final LogLines log = LogLines.after("test: ");
    private final List<String> told = log.texts();

    @AfterEach
    void closeLog() {
        log.close();
    }

    private final Hanging sink = new Hanging(account.stage("rows"));

    @AfterEach
    void close() {
        allocator.close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    private static final class Hanging implements OutputSink {
        private final Stage stage;
        private final List<Long> batches = new ArrayList<>();
        private volatile CountDownLatch goOn = new CountDownLatch(0);
        private volatile boolean closed;

        Hanging(Stage stage) {
            this.stage = stage;
        }

        @Override
        public void rows(RowBatch batch) {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertEquals(BATCH_ROWS, batch.rows());
            assertEquals(0.5, batch.completeness());
            assertEquals(batch.word(0, 0), batch.word(BATCH_ROWS - 1, 0));
            batches.add(batch.word(0, 0));
            stage.offered().add(batch.rows());
            stage.processed().add(batch.rows());
        }

        @Override
        public void dropped(String query) {
            batches.add(-1L);
        }

        @Override
        public void end() {
            batches.add(-2L);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private AsyncSink aside(Patience patience) {
        return new AsyncSink("test", sink, patience, account.stage("rows"));
    }

    private void give(AsyncSink aside, long text) {
        Object[][] rows = new Object[BATCH_ROWS][];
        Arrays.setAll(rows, row -> new Object[] {text});
        try (RowBatch batch = Batches.of(QUERY, 0, 1, allocator, rows)) {
            batch.completeness(0.5);
            aside.rows(batch);
        }
    }

    private long lost() {
        return account.snapshot().get(0).lostInAll();
    }

    /** Hangs and goes on at random: what was not lost is there, in order. */
    @Test
    void whoMakesRowsDoesNotWait() {
        long seed = Long.getLong("weir.seed", 3);
        Random random = new Random(seed);
        long text = 0;
        List<Long> kept = new ArrayList<>();
        try (AsyncSink aside = aside(Patience.ofLivePackets(Clock.SYSTEM))) {
            for (int times = 0; times < 3; times++) {
                sink.goOn = new CountDownLatch(1);
                for (int n = 30 + random.nextInt(60); n >= 0; n--) {
                    long before = lost();
                    give(aside, text);
                    if (lost() == before) {
                        kept.add(text);
                    }
                    text++;
                }
                aside.dropped("q");
                sink.goOn.countDown();
            }
            aside.end();
        }
        List<Long> rows = sink.batches.stream().filter(n -> n >= 0).toList();
        assertEquals(kept, rows, "seed " + seed);
        assertTrue(lost() > 0, "seed " + seed);
        assertEquals(text * BATCH_ROWS, lost() + (long) rows.size() * BATCH_ROWS, "seed " + seed);
        assertEquals(List.of("its disk does not keep up: rows are lost"), told);
        assertEquals(-2, sink.batches.get(sink.batches.size() - 1));
        assertTrue(sink.closed);
    }

    /** A file's packets can wait, and so do rows. */
    @Test
    void whoIsPatientLosesNothing() throws Exception {
        sink.goOn = new CountDownLatch(1);
        try (AsyncSink aside = aside(Patience.endless())) {
            FutureTask<Void> giving =
                    new FutureTask<>(
                            () -> {
                                for (int text = 0; text < 70; text++) {
                                    give(aside, text);
                                }
                                return null;
                            });
            new Thread(giving, "rows").start();
            Thread.sleep(2_500); // more than others wait
            assertFalse(giving.isDone());
            sink.goOn.countDown();
            giving.get(60, TimeUnit.SECONDS);
            aside.end();
        }
        assertEquals(71, sink.batches.size());
        assertEquals(0, lost());
    }

    /** It hangs for good: the end comes, and says what is lost. */
    @Test
    void itEndsWhereTheSinkNeverDoes() {
        sink.goOn = new CountDownLatch(1);
        try (AsyncSink aside = aside(Patience.ofLivePackets(Clock.SYSTEM))) {
            give(aside, 0);
            give(aside, 1);
            aside.end();
            assertEquals(2 * BATCH_ROWS, lost());
        }
        assertFalse(sink.closed);
        sink.goOn.countDown();
    }
}
