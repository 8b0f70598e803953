package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
                        Functions.call("=", TestQueries.column("proto"), Expr.Literal.of(6L)));
        return List.of(
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
                        TestQueries.distinct("sources", TestQueries.column("src_addr"))));
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
                assertEquals(kernels, Jit.compiled(kernels, false));
                CompiledQuery alike = KernelCompiler.compile(query, LAYOUTS);
                before = THREADS.getCurrentThreadCpuTime();
                WarmUp.run(alike, tickNs);
                long tookNs = THREADS.getCurrentThreadCpuTime() - before;
                assertTrue(tookNs < 20_000_000, "warmed up twice");
            }
        }
        System.out.println("warm-ups took " + took);
    }
}
