package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.wire.PartialReader;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.protocol.wire.StateForm;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.kernel.RandomPackets.Shape;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.sketch.SketchFolds;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Partials through bytes, and bytes that are no partials. */
final class TravelTest {
    private static final int QUERIES = Integer.getInteger("weir.test.queries", 400);
    private static final int HOSTILE_QUERIES = Integer.getInteger("weir.test.queries", 150);

    /** Through bytes, in shards, from several pipelines: still what the interpreter says. */
    @Test
    void travelledPartialsSayWhatTheInterpreterSays() {
        KernelOracleTest.checkAll(
                QUERIES,
                (random, allocator) -> KernelOracleTest.checkQuery(random, allocator, false, true));
        KernelOracleTest.checkAll(
                QUERIES / 10,
                (random, allocator) -> KernelOracleTest.checkQuery(random, allocator, true, true));
    }

    /** A clear error, or rows: never a crash, a leak or any other exception. */
    @Test
    void hostileBlocksAreErrors() {
        int[] refused = new int[2];
        KernelOracleTest.checkAll(
                HOSTILE_QUERIES,
                (random, allocator) -> {
                    boolean sketches = random.nextInt(4) == 0;
                    GpvLayout layout = GpvLayout.FULL_V4;
                    Query query = sketches ? sketches(layout) : random(random, layout);
                    CompiledQuery code = compiled(query);
                    for (List<byte[]> blocks : blocks(code, allocator, random)) {
                        for (int i = 0; i < 40; i++) {
                            refused[hostile(code, blocks, allocator, random) ? 1 : 0]++;
                        }
                    }
                });
        assertTrue(refused[0] > 100 && refused[1] > 100, refused[0] + ", " + refused[1]);
    }

    private static Query random(Random random, GpvLayout layout) {
        Scan scan = new Scan(StreamType.PACKETS, RandomPackets.columns(layout), "ts");
        return new RandomQueries(random, scan).next();
    }

    private static Query sketches(GpvLayout layout) {
        FoldCall[] folds = {
            TestQueries.call(
                    "d",
                    SketchFolds.distinct(),
                    SketchFolds.hashOf(List.of(TestQueries.column("src_addr")))),
            TestQueries.call(
                    "q",
                    SketchFolds.quantile(0.5),
                    Functions.call("to_double", TestQueries.column("bytes"))),
            TestQueries.call("t", SketchFolds.top(Kind.INET, 1), TestQueries.column("src_addr")),
            TestQueries.call("n", SketchFolds.top(Kind.VARCHAR, 1), TestQueries.column("node_id"))
        };
        return TestQueries.groups(
                layout, Optional.empty(), Optional.empty(), List.of("dst_addr"), folds);
    }

    private static CompiledQuery compiled(Query query) {
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private static List<List<byte[]>> blocks(
            CompiledQuery code, NativeAllocator allocator, Random random) {
        PartialWriter writer =
                PartialWriter.of(StateForm.of(code), code, 1, 0, 200 + random.nextInt(2000));
        List<List<byte[]>> all = new ArrayList<>();
        try (QueryState state =
                code.newState(allocator, new ActiveInterval(), StateOptions.DEFAULT)) {
            for (Sent sent : RandomPackets.stream(random, "full", 12, false, Shape.small(random))) {
                KernelRun.send(allocator, state, List.of(sent));
            }
            state.finish();
            state.eachWindow(
                    window -> {
                        try (Partial partial = window.groups()) {
                            all.add(Travel.blocks(partial, writer, 1).get(0));
                        }
                    });
        }
        return all;
    }

    /** Whether it was refused. */
    private static boolean hostile(
            CompiledQuery code, List<byte[]> blocks, NativeAllocator allocator, Random random) {
        try (Partial part = code.newPartial(allocator, 1 << 20);
                PartialReader reader = new PartialReader(StateForm.of(code), allocator)) {
            int victim = random.nextInt(blocks.size());
            for (int b = 0; b < blocks.size(); b++) {
                byte[] block = blocks.get(b);
                reader.read(b == victim ? broken(block, random) : block, part);
            }
            try (RowBatch rows =
                    code.finish(part, 0, 1_000_000_000L, RowContext.WHOLE, allocator)) {
                KernelRun.boxed(rows);
            }
            return false;
        } catch (WeirException refused) {
            assertTrue(
                    refused.code() == ErrorCode.MALFORMED_BYTES
                            || refused.code() == ErrorCode.OTHER_VERSION,
                    refused.toString());
            return true;
        }
    }

    private static byte[] broken(byte[] block, Random random) {
        byte[] bytes = block.clone();
        switch (random.nextInt(4)) {
            case 0 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            case 1 -> {
                int at = random.nextInt(bytes.length / 4) * 4;
                int[] extremes = {0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 28};
                ByteBuffer.wrap(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(at, extremes[random.nextInt(extremes.length)]);
            }
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
            }
        }
        return bytes;
    }

    /** Strings have other numbers in another process; groups still go to the same shards. */
    @Test
    void stringsTravelAsTexts() throws ReflectiveOperationException, IOException {
        long seed = Long.getLong("weir.seed", 1);
        byte[][][][] ours = ForeignBlocks.write(seed, 0);
        byte[][][][] theirs = foreign(seed);
        List<CompiledQuery> queries = ForeignBlocks.queries();
        for (int q = 0; q < queries.size(); q++) {
            for (int s = 0; s < ForeignBlocks.SHARDS; s++) {
                List<String> expected = rows(queries.get(q), ours[q][s]);
                assertEquals(expected, rows(queries.get(q), theirs[q][s]), "seed " + seed);
            }
        }
    }

    private static byte[][][][] foreign(long seed)
            throws ReflectiveOperationException, IOException {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(new File(entry).toURI().toURL());
        }
        try (URLClassLoader other =
                new URLClassLoader(
                        path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> foreign = other.loadClass(ForeignBlocks.class.getName());
            return (byte[][][][])
                    foreign.getMethod("write", long.class, int.class).invoke(null, seed, 40);
        }
    }

    private static List<String> rows(CompiledQuery code, byte[][] blocks) {
        try (NativeAllocator allocator = new NativeAllocator(1L << 28);
                Partial part = code.newPartial(allocator, 1L << 26);
                PartialReader reader = new PartialReader(StateForm.of(code), allocator)) {
            for (byte[] block : blocks) {
                reader.read(block, part);
            }
            try (RowBatch rows = code.finish(part, 0, 1, RowContext.WHOLE, allocator)) {
                return KernelRun.boxed(rows).stream().map(Object::toString).sorted().toList();
            }
        }
    }

    @Test
    void aPartialOfAnotherVersionIsRefused() {
        Random random = new Random(1);
        try (NativeAllocator allocator = new NativeAllocator(1 << 26)) {
            CompiledQuery old = compiled(count("bytes"));
            CompiledQuery altered = compiled(count("bytes", "proto"));
            byte[] block = blocks(old, allocator, random).get(0).get(0);
            try (Partial part = altered.newPartial(allocator, 1 << 20);
                    PartialReader reader = new PartialReader(StateForm.of(altered), allocator)) {
                WeirException refused =
                        assertThrows(WeirException.class, () -> reader.read(block, part));
                assertEquals(ErrorCode.OTHER_VERSION, refused.code());
            }
        }
    }

    private static Query count(String... keys) {
        return TestQueries.groups(
                GpvLayout.FULL_V4,
                Optional.empty(),
                Optional.empty(),
                List.of(keys),
                TestQueries.count("n"));
    }
}
