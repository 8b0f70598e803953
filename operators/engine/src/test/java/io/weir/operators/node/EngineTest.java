package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.ring.BlockWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole engines of every shape against the interpreter, and against each other. */
@Timeout(300)
final class EngineTest {
    private static final long SECOND_NS = Graphs.SECOND_NS;
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(SECOND_NS / 2, SECOND_NS)
                    .withMemory(256L << 20, 32L << 20);

    private static final Query PER_SRC =
            Graphs.counts("per_src", Graphs.tumble(2), null, "src_addr");
    private static final Query ALL = Graphs.counts("everything", Optional.empty(), null);
    private static final Query TOTALS = Graphs.counts("totals", Optional.empty(), null, "dst_port");
    private static final Query HOPS = Graphs.counts("hops", Graphs.hop(4, 1), null, "dst_addr");
    private static final Query SUMS =
            Graphs.counts(
                    "sums", Graphs.rowsOf(PER_SRC), "total", Graphs.tumble(10), null, "src_addr");
    private static final Query WOKEN =
            Graphs.counts(
                    "woken", Graphs.tumble(1.5), Graphs.when(PER_SRC, 30, null, null), "dst_port");
    private static final Query UNTIL =
            Graphs.counts(
                    "until",
                    Graphs.tumble(1),
                    Graphs.when(PER_SRC, 30, 3L, null),
                    "src_addr",
                    "dst_addr");
    private static final Query LASTING =
            Graphs.counts("lasting", Optional.empty(), Graphs.when(UNTIL, 6, null, 4.0), "proto");
    private static final Query TICKED =
            Graphs.counts("ticked", Graphs.tumble(3), Graphs.when(TOTALS, 200, null, null));
    private static final Query WOKEN_ROWS =
            Graphs.counts(
                    "woken_rows",
                    Graphs.rowsOf(PER_SRC),
                    "n",
                    Graphs.tumble(4),
                    Graphs.when(PER_SRC, 30, null, 5.0));
    private static final Query TOP_PAIRS =
            Graphs.top(
                    Graphs.counts("top_pairs", Graphs.tumble(2), null, "dst_addr", "src_addr"), 3);
    private static final Query PAIR_TOTALS =
            Graphs.counts("pair_totals", Optional.empty(), null, "src_addr", "dst_addr", "proto");
    private static final Query TICKED_PAIRS =
            Graphs.counts(
                    "ticked_pairs", Graphs.tumble(3), Graphs.when(PAIR_TOTALS, 20, null, null));
    private static final List<Query> QUERIES =
            List.of(
                    PER_SRC,
                    ALL,
                    TOTALS,
                    HOPS,
                    TOP_PAIRS,
                    PAIR_TOTALS,
                    SUMS,
                    WOKEN,
                    UNTIL,
                    LASTING,
                    TICKED,
                    TICKED_PAIRS,
                    WOKEN_ROWS);

    /** Bursts of flows, packets that are out of order and late, and gaps of many windows. */
    private static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        long nowUs = 1_700_000_000_000_000L + random.nextInt(5_000_000);
        int count = 200 + random.nextInt(3000);
        for (int i = 0; i < count; i++) {
            int burst = i / 400 % 3;
            nowUs += random.nextInt(burst == 1 ? 4_000 : 30_000);
            if (random.nextInt(500) == 0) {
                nowUs += random.nextInt(30_000_000);
            }
            long backUs = random.nextInt(10) == 0 ? random.nextInt(900_000) : 0;
            packets.add(packet(random, nowUs - backUs, burst));
        }
        return packets;
    }

    private static Packet packet(Random random, long tsUs, int burst) {
        boolean v6 = random.nextInt(4) == 0;
        int hosts = burst == 1 ? 3 : 12;
        Inet src = address(v6, random.nextInt(hosts));
        Inet dst = address(v6, 100 + random.nextInt(hosts));
        long port = 1L + random.nextInt(4);
        long proto = random.nextBoolean() ? 6 : 17;
        return new Packet(tsUs * 1000, src, dst, 1000, port, proto, 40 + random.nextInt(1400));
    }

    private static Inet address(boolean v6, int host) {
        return v6 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(0x0A000000 + host);
    }

    private static EngineOptions shape(Random random, int partitions, int pipelines) {
        int blockBytes = 2048 << random.nextInt(4);
        return OPTIONS.withShape(partitions, pipelines).withBlocks(blockBytes, 1 << 17);
    }

    @Test
    void anyShapeGivesTheSameRowsAndTheInterpretersRows() {
        int fired = 0;
        Set<String> queriesWithRows = new TreeSet<>();
        for (long seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            List<Packet> packets = packets(random);
            Run inline = new Run(QUERIES, packets, shape(random, 1, 1), seed);
            String message = "seed " + seed;
            against(inline, message);
            fired += inline.fired.size();
            inline.order.forEach(line -> queriesWithRows.add(line.split(" ")[0]));
            int[][] shapes = {{1, 1}, {1, 2}, {2, 1}, {3, 1}, {2, 2}};
            for (int[] shape : shapes) {
                EngineOptions options = shape(random, shape[0], shape[1]);
                Run run = new Run(QUERIES, packets, options, random.nextLong());
                String where = message + ", " + shape[0] + "×" + shape[1];
                assertEquals(inline.fired, run.fired, where);
                assertEquals(inline.rows, run.rows, where);
                assertEquals(inline.order, run.order, where);
            }
        }
        assertTrue(fired > 20, "only " + fired + " firings");
        assertEquals(QUERIES.size(), queriesWithRows.size(), queriesWithRows.toString());
    }

    private static void against(Run run, String message) {
        for (Query query : List.of(PER_SRC, ALL, TOTALS, HOPS, TOP_PAIRS, PAIR_TOTALS)) {
            List<Interpreter.Output> expected = new Interpreter(query).run(run.events());
            assertEquals(expected, run.rows.get(query.name()), message + " " + query.name());
        }
        NaiveWhen perSrc = new NaiveWhen(OPTIONS.delayNs(), run.rows.get("per_src"));
        assertRows(run, WOKEN, perSrc.activations(WOKEN), message);
        assertRows(run, UNTIL, perSrc.activations(UNTIL), message);
        NaiveWhen until = new NaiveWhen(OPTIONS.delayNs(), run.rows.get("until"));
        assertRows(run, LASTING, until.activations(LASTING), message);
    }

    private static void assertRows(
            Run run, Query query, List<NaiveWhen.Span> activations, String message) {
        boolean canEnd = query.when().get().until().isPresent() || query.name().equals("lasting");
        List<Interpreter.Event> events =
                run.events().stream().filter(e -> !(canEnd && e.late())).toList();
        List<Interpreter.Output> expected = new ArrayList<>();
        for (NaiveWhen.Span span : activations) {
            RowContext context = new RowContext(0, 1, span.fromNs());
            expected.addAll(
                    new Interpreter(query, context).run(events, span.fromNs(), span.untilNs()));
        }
        assertEquals(expected, run.rows.get(query.name()), message + " " + query.name());
    }

    /** A source that breaks its promise shows which queries have a merge. */
    @Test
    void groupsThatHoldThePartitionKeyAreNotMerged() {
        Query pairs = Graphs.counts("pairs", Graphs.tumble(2), null, "src_addr", "dst_addr");
        List<String> rows = Collections.synchronizedList(new ArrayList<>());
        try (LocalEngine engine = new LocalEngine(OPTIONS.withShape(1, 2), new Account())) {
            for (Query query : List.of(PER_SRC, pairs)) {
                engine.add(Run.compile(query), batch -> rows.add(query.name() + batch.rows()));
            }
            engine.start();
            engine.writers().forEach(writer -> gpv(new Random(3)).writeTo(writer, false));
            engine.awaitEnd();
        }
        assertEquals(List.of("per_src1", "pairs2"), rows);
    }

    @Test
    void rowsOfAllQueriesComeInTheOrderOfTime() {
        Random random = new Random(99);
        Run run = new Run(List.of(PER_SRC, HOPS, SUMS), packets(random), shape(random, 1, 1), 1);
        List<Long> ends = new ArrayList<>();
        run.order.forEach(line -> ends.add(Long.valueOf(line.split(" ")[1])));
        List<Long> sorted = new ArrayList<>(ends);
        Collections.sort(sorted);
        assertEquals(sorted, ends);
        assertFalse(ends.isEmpty());
    }

    @Test
    void aSleepingQueryCostsNothingAndAFarJumpIsOneSettlement() {
        Random random = new Random(5);
        Query asleep =
                Graphs.counts(
                        "asleep", Optional.empty(), Graphs.when(PER_SRC, 1 << 30, null, null));
        List<Packet> packets = new ArrayList<>();
        packets.add(packet(random, 1_000_000, 0));
        packets.add(packet(random, 1_000_000_000_000L, 0));
        packets.add(packet(random, 4_000_000_000_000_000L, 0));
        Run run = new Run(List.of(PER_SRC, asleep), packets, shape(random, 1, 1), 1);
        assertTrue(run.settlements() <= 3, run.settlements() + " settlements");
        assertEquals(List.of(), run.rows.get("asleep"));
        long offered =
                run.account.snapshot().stream()
                        .filter(s -> s.stage().equals("query:asleep"))
                        .mapToLong(s -> s.offered())
                        .sum();
        assertEquals(0, offered);
        assertEquals(3, run.rows.get("per_src").size());
    }

    @Test
    void theWholeEngineAllocatesNothingPerBlock() {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        EngineOptions options = OPTIONS.withBlocks(4096, 1 << 17);
        try (LocalEngine engine = new LocalEngine(options, new Account())) {
            for (Query query : QUERIES) {
                engine.add(Run.compile(query), batch -> {});
            }
            engine.start();
            BlockWriter writer = engine.writers().get(0);
            RandomGpv gpv = gpv(new Random(3));
            long address = engine.allocator().allocate(4096, MemoryTag.TEST);
            gpv.write(address);
            write(engine, gpv, address, 400_000);
            long before = threads.getThreadAllocatedBytes(thread);
            long blocksBefore = writer.publishedBlocks();
            write(engine, gpv, address, 400_000);
            long bytes = threads.getThreadAllocatedBytes(thread) - before;
            long blocks = writer.publishedBlocks() - blocksBefore;
            engine.allocator().free(address, 4096, MemoryTag.TEST);
            assertTrue(blocks > 1000);
            assertTrue(bytes < blocks, bytes + " bytes in " + blocks + " blocks");
        }
    }

    private static RandomGpv gpv(Random random) {
        Packet packet = packet(random, 1_000_000, 0);
        return new RandomGpv(random, GpvLayout.FULL_V4, 3, packet.tsNs())
                .with(GpvLayout.DELTA, new long[] {0, 1, 2});
    }

    private static void write(LocalEngine engine, RandomGpv gpv, long from, int times) {
        BlockWriter writer = engine.writers().get(0);
        int bytes = gpv.layout().gpvBytes(gpv.count());
        for (int i = 0; i < times; i++) {
            Memory.copy(from, writer.claim(gpv.layout(), gpv.count()), bytes);
            engine.poll();
        }
    }

    @Test
    void aFailingSinkSurfacesAndNothingHangsOrLeaks() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            Random random = new Random(7);
            EngineOptions options = shape(random, 1, pipelines);
            LocalEngine engine = new LocalEngine(options, new Account());
            engine.add(
                    Run.compile(PER_SRC),
                    batch -> {
                        throw new IllegalStateException("no room");
                    });
            engine.start();
            List<Packet> packets = packets(random);
            IllegalStateException failure =
                    assertThrows(
                            IllegalStateException.class,
                            () -> {
                                new ReplaySource(engine, options, random, "full").replay(packets);
                                engine.awaitEnd();
                            });
            assertEquals("no room", failure.getMessage());
            engine.close();
            engine.allocator().close();
        }
    }

    @Test
    void closingInTheMiddleLeaksNothing() {
        for (int pipelines = 1; pipelines <= 3; pipelines++) {
            Random random = new Random(pipelines);
            EngineOptions options = shape(random, 1, pipelines);
            LocalEngine engine = new LocalEngine(options, new Account());
            for (Query query : QUERIES) {
                engine.add(Run.compile(query), batch -> {});
            }
            engine.start();
            ReplaySource source = new ReplaySource(engine, options, random, "full");
            List<Packet> packets = packets(random);
            assertThrows(
                    NullPointerException.class,
                    () -> {
                        packets.set(packets.size() / 2, null);
                        source.replay(packets);
                    });
            engine.close();
            engine.allocator().close();
        }
    }
}
