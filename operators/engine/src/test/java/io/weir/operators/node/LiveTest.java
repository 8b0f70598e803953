package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries come, change and go while packets flow, from another thread than the reader's. */
@Timeout(300)
final class LiveTest {
    private static final int GPVS_A_SECOND = 4000;
    private static final ThreadOptions APART = new ThreadOptions(IdleMode.BACKOFF, List.of(), true);
    private static final List<EngineOptions> SHAPES =
            List.of(
                    options(1, ThreadOptions.DEFAULT),
                    options(1, APART),
                    options(2, ThreadOptions.DEFAULT));

    private static EngineOptions options(int pipelines, ThreadOptions threads) {
        return EngineOptions.DEFAULT
                .withShape(1, pipelines)
                .withTime(0, 0)
                .withMemory(512L << 20, 64L << 20)
                .withBlocks(16384, 1 << 18)
                .forLive()
                .withThreads(threads);
    }

    private static Query counts(String name, double seconds, String... keys) {
        return Graphs.counts(name, Graphs.tumble(seconds), null, keys);
    }

    /** An engine, and a reader that writes until it is told to end. */
    private static final class Live implements AutoCloseable {
        final Account account = new Account();
        final LocalEngine engine;
        final Map<String, List<String>> rows = Collections.synchronizedMap(new HashMap<>());
        final Map<String, AtomicLong> sums = Collections.synchronizedMap(new HashMap<>());
        final Map<String, Long> firstActive = Collections.synchronizedMap(new HashMap<>());
        final Map<String, List<Boolean>> partial = Collections.synchronizedMap(new HashMap<>());
        final List<String> failed = Collections.synchronizedList(new ArrayList<>());
        final AtomicLong packets = new AtomicLong();
        private final Thread reader;
        private volatile long limit = Long.MAX_VALUE;
        private volatile Throwable broken;

        Live(EngineOptions options, Query... queries) {
            engine = new LocalEngine(options, account);
            engine.addListener(
                    new WakeListener() {
                        @Override
                        public void woken(Query query, long from, RowBatch batch, int row) {}

                        @Override
                        public void failed(Query query, WeirException failure) {
                            failed.add(query.name() + " " + failure.code());
                        }
                    });
            List.of(queries).forEach(this::add);
            engine.start();
            reader = new Thread(this::read, "reader");
            reader.start();
        }

        void add(Query query) {
            engine.add(Run.compile(query), batch -> take(query.name(), batch));
        }

        void replace(String version, Query query) {
            engine.replace(Run.compile(query), batch -> take(version, batch));
        }

        void take(String version, RowBatch batch) {
            int active = batch.layout().indexOf("active_from");
            partial.computeIfAbsent(version, v -> new ArrayList<>()).add(batch.partial());
            for (int row = 0; row < batch.rows(); row++) {
                StringBuilder text = new StringBuilder();
                for (int c = 0; c < batch.layout().columns().size(); c++) {
                    text.append(batch.value(row, c)).append(' ');
                }
                rows.computeIfAbsent(version, v -> new ArrayList<>()).add(text.toString());
                long n = (Long) batch.value(row, batch.layout().indexOf("n"));
                sums.computeIfAbsent(version, v -> new AtomicLong()).addAndGet(n);
                if (!batch.isNull(row, active)) {
                    firstActive.putIfAbsent(version, batch.word(row, active));
                }
            }
        }

        private void read() {
            try {
                Random random = new Random(5);
                List<BlockWriter> writers = engine.writers();
                for (long g = 0; g < limit; g++) {
                    long ns = 1_700_000_000L * 1_000_000_000L + g * 1_000_000_000L / GPVS_A_SECOND;
                    int src = random.nextInt(50);
                    RandomGpv gpv =
                            new RandomGpv(random, GpvLayout.FULL_V4, 1 + random.nextInt(3), ns)
                                    .with("src_addr", Inet.v4(src))
                                    .with("dst_addr", Inet.v4(1000 + src % 7));
                    gpv.with(GpvLayout.DELTA, new long[gpv.count()]);
                    gpv.writeTo(writers.get(src % writers.size()), false);
                    engine.poll();
                    packets.addAndGet(gpv.count());
                    if (g % 64 == 0) {
                        writers.forEach(writer -> writer.flush(ns));
                        engine.poll();
                        Thread.sleep(g % 1024 == 0 ? 1 : 0);
                    }
                }
                engine.awaitEnd();
            } catch (Throwable failure) {
                broken = failure;
            }
        }

        void waitForSeconds(double seconds) {
            long until = packets.get() + (long) (seconds * GPVS_A_SECOND * 2);
            Await.until(() -> packets.get() >= until || broken != null);
        }

        /** Ends after as many GPVs in all. */
        void end(long gpvs) throws InterruptedException {
            limit = gpvs;
            reader.join();
            if (broken != null) {
                throw new AssertionError(broken);
            }
            assertTrue(account.isBalanced(), account.snapshot().toString());
        }

        long sum(String version) {
            return sums.getOrDefault(version, new AtomicLong()).get();
        }

        Stage.Snapshot stage(String name) {
            return account.snapshot().stream()
                    .filter(s -> s.stage().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void close() {
            limit = 0;
            Await.until(() -> !reader.isAlive());
            engine.close();
            engine.allocator().close();
        }
    }

    @Test
    void comingAndGoingLosesNothingAndDisturbsNobody() throws InterruptedException {
        for (EngineOptions options : SHAPES) {
            Query base = counts("base", 1, "src_addr");
            Query woken =
                    Graphs.counts(
                            "woken",
                            Graphs.tumble(1),
                            Graphs.when(base, 10, null, null),
                            "dst_addr");
            List<String> latencies = new ArrayList<>();
            List<String> expected;
            long gpvs;
            try (Live live = new Live(options, base)) {
                live.waitForSeconds(2);
                latencies.add(timed(() -> live.add(counts("other", 2, "dst_addr"))));
                latencies.add(timed(() -> live.add(woken)));
                live.waitForSeconds(3);
                latencies.add(timed(() -> live.add(counts("shared", 1, "src_addr"))));
                latencies.add(timed(() -> live.replace("other2", counts("other", 1, "proto"))));
                live.waitForSeconds(3);
                live.engine.drop("woken");
                live.engine.drop("shared");
                live.waitForSeconds(2);
                gpvs = live.packets.get() + 1;
                live.end(gpvs);
                check(live);
                expected = live.rows.get("base");
            }
            try (Live alone = new Live(options, base)) {
                alone.end(gpvs);
                assertEquals(alone.rows.get("base"), expected);
                assertEquals(alone.packets.get(), alone.sum("base"));
            }
            System.out.println(
                    options.rings()
                            + " pipelines"
                            + (options.threads().resultsThread() ? ", results apart" : "")
                            + ": attached after "
                            + latencies);
        }
    }

    private static void check(Live live) {
        long counted = live.stage("query:other").processed();
        assertEquals(counted, live.sum("other") + live.sum("other2"), "between two versions");
        assertTrue(live.sum("other") > 0 && live.sum("other2") > 0);
        assertEquals(live.packets.get(), live.stage("query:base").processed());
        assertEquals(live.packets.get(), live.stage("pipeline").processed());
        assertTrue(live.firstActive.containsKey("other"), "says from when it counted");
        assertTrue(live.firstActive.containsKey("other2"));
        assertTrue(live.sum("woken") > 0);
        assertTrue(live.sum("shared") > 0);
        assertTrue(live.partial.get("other").get(0), "begun within a window");
        List<Boolean> cut = live.partial.get("other");
        assertTrue(cut.get(cut.size() - 1), "ended within a window");
        assertTrue(live.partial.get("other2").get(0), "begun within a window");
        assertEquals(1, Collections.frequency(live.partial.get("other2"), true));
        assertFalse(live.partial.get("shared").get(0), "others had counted it from its start");
        assertFalse(live.partial.get("base").contains(true));
        assertEquals(Optional.empty(), Optional.ofNullable(live.firstActive.get("shared")));
    }

    private interface Change {
        void run();
    }

    private static String timed(Change change) {
        long before = System.nanoTime();
        change.run();
        return (System.nanoTime() - before) / 1_000_000 + " ms";
    }

    @Test
    void whatCannotBeIsRefusedAndChangesNothing() throws InterruptedException {
        Query base = counts("base", 1, "src_addr");
        Query reads = Graphs.counts("sums", Graphs.rowsOf(base), "n", Graphs.tumble(2), null);
        try (Live live = new Live(SHAPES.get(0), base, reads)) {
            assertCode(ErrorCode.DUPLICATE_QUERY, () -> live.add(base));
            assertCode(ErrorCode.UNKNOWN_QUERY, () -> live.engine.drop("nobody"));
            assertCode(ErrorCode.INVALID_QUERY, () -> live.engine.drop("base"));
            assertCode(
                    ErrorCode.INVALID_QUERY, () -> live.replace("v2", counts("base", 1, "proto")));
            live.waitForSeconds(1);
            Query top = Graphs.top(counts("base", 1, "src_addr"), 1);
            live.replace("v2", top);
            live.waitForSeconds(4);
            live.end(live.packets.get() + 1);
            assertTrue(live.sum("v2") > 0);
            assertTrue(live.sum("sums") > 0);
        }
    }

    private static void assertCode(ErrorCode code, Change change) {
        assertEquals(code, assertThrows(WeirException.class, change::run).code());
    }
}
