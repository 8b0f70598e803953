package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.SketchFolds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** After a warm-up HotSpot itself says that the kernels are compiled. */
final class WarmUpTest {
    private static final List<GpvLayout> LAYOUTS = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
    private static final Optional<Window> SECOND = Optional.of(Window.tumble(1_000_000_000L));

    /** Not the clock: the machine may be busy with other things. */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static List<Query> queries() {
        Expr web =
                Functions.call(
                        "AND",
                        Functions.call("=", TestQueries.column("dst_port"), Expr.Literal.of(443L)),
                        is("proto", 6));
        // Of the first one no made-up packet is let through: its tables stay empty.
        return List.of(
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.of(never()),
                        SECOND,
                        List.of("src_port"),
                        TestQueries.count("n")),
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.empty(),
                        SECOND,
                        List.of("src_addr", "proto"),
                        TestQueries.call("b", Folds.sum(Kind.BIGINT), TestQueries.column("bytes"))),
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.empty(),
                        SECOND,
                        List.of("ip_ttl", "src_addr"),
                        TestQueries.count("n"),
                        TestQueries.call("b", Folds.sum(Kind.BIGINT), TestQueries.column("bytes"))),
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.of(web),
                        SECOND,
                        List.of("dst_addr", "tcp_flags"),
                        TestQueries.count("n")),
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("dst_addr", "ip_tos"),
                        TestQueries.distinct("sources", TestQueries.column("src_addr"))),
                TestQueries.groups(
                        GpvLayout.FULL_V4,
                        Optional.empty(),
                        SECOND,
                        List.of("dst_port"),
                        TestQueries.call(
                                "sources",
                                SketchFolds.distinct(),
                                SketchFolds.hashOf(List.of(TestQueries.column("src_addr"))))));
    }

    private static Expr never() {
        return Functions.call("AND", is("tcp_flags", 2), is("tcp_flags", 16));
    }

    private static Expr is(String column, long number) {
        return Functions.call("=", TestQueries.column(column), Expr.Literal.of(number));
    }

    @Test
    void kernelsAreCompiledAndOthersOfTheirClassNeedNoMore() {
        assertTrue(Jit.compiles(), "a JVM without a compiler");
        List<String> took = new ArrayList<>();
        for (Query query : queries()) {
            for (long tickNs : new long[] {0, 1_000_000_000L}) {
                CompiledQuery code = KernelCompiler.compile(query, LAYOUTS);
                long before = System.nanoTime();
                WarmUp.run(code, tickNs);
                took.add((System.nanoTime() - before) / 1_000_000 + " ms");
                Set<Class<?>> kernels = new HashSet<>();
                code.kernels(tickNs).forEach(kernel -> kernels.add(kernel.getClass()));
                assertTrue(
                        kernels.stream().allMatch(Jit.look(kernels)::runs), () -> query.toString());
                if (code.kernels(tickNs).stream().allMatch(Kernel::updatesRarely)) {
                    assertTrue(
                            kernels.stream().allMatch(Jit.look(kernels)::isCompiled),
                            () -> "a cold method: " + query);
                }
                CompiledQuery alike = KernelCompiler.compile(query, LAYOUTS);
                before = THREADS.getCurrentThreadCpuTime();
                WarmUp.run(alike, tickNs);
                long tookNs = THREADS.getCurrentThreadCpuTime() - before;
                assertTrue(tookNs < 20_000_000, "warmed up twice");
            }
        }
        System.out.println("warm-ups took " + took);
    }

    /** What HotSpot took for impossible in a warm-up and then meets makes a kernel cold again. */
    @Test
    void theyStayCompiledWhateverPacketsCome() {
        long seed = Long.getLong("weir.seed", 20261122);
        Random random = new Random(seed);
        for (Query query : queries()) {
            CompiledQuery code = KernelCompiler.compile(query, LAYOUTS);
            WarmUp.run(code, 0);
            Set<Class<?>> kernels = new HashSet<>();
            code.kernels(0).forEach(kernel -> kernels.add(kernel.getClass()));
            try (NativeAllocator memory = new NativeAllocator(1L << 30)) {
                StateOptions options = new StateOptions(256L << 20, 0);
                try (QueryState state = code.newState(memory, new ActiveInterval(), options);
                        Traffic traffic = new Traffic(memory, random)) {
                    for (int part = 0; part < Traffic.PARTS; part++) {
                        traffic.send(state, part);
                        assertTrue(
                                kernels.stream().allMatch(Jit.look(kernels)::runs),
                                () -> "seed " + seed + ", " + query);
                    }
                    state.finish();
                    state.eachWindow(window -> window.groups().close());
                }
            }
        }
    }

    /** GPVs of many hosts, some far busier than others, second after second. */
    private static final class Traffic implements AutoCloseable {
        static final int PARTS = 200;
        private static final int GPVS = 2_000;
        private static final int PACKETS = 4;
        private static final long START_NS = 1_800_000_000_000_000_000L;
        private static final long STEP_NS = 1_000_000_000L / (GPVS * PARTS / 3);

        private final NativeAllocator memory;
        private final Random random;
        private final GpvLayout layout = GpvLayout.FULL_V4;
        private final int gpvBytes = layout.gpvBytes(PACKETS);
        private final long address;

        Traffic(NativeAllocator memory, Random random) {
            this.memory = memory;
            this.random = random;
            address = memory.allocate((long) GPVS * gpvBytes, MemoryTag.TEST);
        }

        void send(QueryState state, int part) {
            long gpv = address;
            for (long g = (long) part * GPVS; g < (part + 1L) * GPVS; g++, gpv += gpvBytes) {
                write(gpv, START_NS + g * STEP_NS);
            }
            int run = 1 + random.nextInt(GPVS);
            for (int from = 0; from < GPVS; from += run) {
                long first = address + (long) from * gpvBytes;
                state.segment(layout.id(), 0, 0, first, Math.min(run, GPVS - from));
            }
            state.advance(START_NS + ((part - 1L) * GPVS) * STEP_NS);
            state.eachWindow(window -> window.groups().close());
        }

        private void write(long gpv, long timeNs) {
            put(gpv, "src_addr", 0x0A00_0000L + host());
            put(gpv, "dst_addr", 0x0B00_0000L + host());
            put(gpv, "src_port", 1024 + random.nextInt(60_000));
            put(gpv, "dst_port", random.nextBoolean() ? 443 : random.nextInt(1 << 16));
            put(gpv, "proto", random.nextInt(5) == 0 ? 17 : 6);
            put(gpv, "ip_ttl", 40 + random.nextInt(30));
            put(gpv, GpvLayout.START, timeNs);
            put(gpv, GpvLayout.COUNT, PACKETS);
            for (int p = 0; p < PACKETS; p++) {
                long packet = gpv + layout.gpvBytes(p);
                put(packet, "bytes", 40 + random.nextInt(1460));
                put(packet, "tcp_flags", random.nextInt(64));
                put(packet, "ip_tos", random.nextInt(4));
                put(packet, GpvLayout.DELTA, p);
            }
        }

        private int host() {
            return random.nextInt(1 << 1 + random.nextInt(17));
        }

        private void put(long base, String field, long value) {
            FieldAccess.store(layout.field(field).orElseThrow(), layout.order(), base, value);
        }

        @Override
        public void close() {
            memory.free(address, (long) GPVS * gpvBytes, MemoryTag.TEST);
        }
    }
}
