package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.KernelRun;
import io.weir.bench.kernel.Work;
import io.weir.bench.kernel.Work.State;
import io.weir.bench.kernel.Works;
import io.weir.operators.graph.Inet;
import io.weir.operators.interpret.Interpreter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Weir, both C++ loops and the row-at-a-time interpreter agree on every work. */
class WorksTest {
    private static final int PASSES = 2;

    @TempDir private static Path directory;

    private static Optional<NativeBaseline> baseline;

    @BeforeAll
    static void build() throws Exception {
        baseline = NativeBaseline.build(Path.of("native"), Path.of("target/native"));
    }

    static List<Work> works() {
        return Works.list();
    }

    /** Three windows, with GPVs across their edges; both families where the work allows them. */
    private static TrafficShape shape(Work work) {
        int ipv6Percent = work.isIpv4Only() ? 0 : 30;
        return TrafficShape.of(10_000, 40, 5).withPacketNs(250_000).withIpv6(ipv6Percent);
    }

    @ParameterizedTest
    @MethodSource("works")
    void everyoneCountsTheSame(Work work) throws Exception {
        TrafficShape shape = shape(work);
        Answer expected = interpreted(work, shape);
        assertTrue(expected.rows() > 0, "the check has no rows to look at");
        for (String layout : work.layouts()) {
            Path file = directory.resolve(work.name() + "-" + layout);
            GpvTrace.write(shape, layout, file);
            try (KernelRun run =
                    new KernelRun(work.query(), layout, State.FRESH, GpvTrace.open(file))) {
                assertEquals(expected, run.check(), layout);
                assertEquals(expected, run.check(), "again");
            }
            if (baseline.isPresent()) {
                try (Contender cpp = baseline.get().start(file, work, State.FRESH)) {
                    assertEquals(expected, cpp.check(NativeBaseline.PLAIN), layout);
                    assertEquals(expected, cpp.check(NativeBaseline.BEST), layout);
                }
            }
            Files.delete(file);
        }
    }

    @ParameterizedTest
    @MethodSource("works")
    void totalsGoOnOverSeveralPasses(Work work) throws Exception {
        assumeTrue(work.states().contains(State.WARM) && baseline.isPresent());
        String layout = work.layouts().get(0);
        Path file = directory.resolve(work.name() + "-warm");
        GpvTrace.write(shape(work), layout, file);
        try (KernelRun run = new KernelRun(work.query(), layout, State.WARM, GpvTrace.open(file));
                Contender cpp = baseline.get().start(file, work, State.WARM)) {
            for (int pass = 0; pass < PASSES; pass++) {
                run.prepare();
                run.pass();
                assertTrue(cpp.pass(NativeBaseline.PLAIN) > 0);
                assertTrue(cpp.pass(NativeBaseline.BEST) > 0);
            }
            Answer weir = run.check();
            assertEquals(weir, cpp.check(NativeBaseline.PLAIN));
            assertEquals(weir, cpp.check(NativeBaseline.BEST));
        }
    }

    private static Answer interpreted(Work work, TrafficShape shape) {
        ResultHash hash = new ResultHash();
        for (Interpreter.Output window :
                new Interpreter(work.query()).run(TrafficEvents.of(shape))) {
            for (List<Object> row : window.rows()) {
                row.forEach(value -> add(value, hash));
                hash.end();
            }
        }
        return hash.answer();
    }

    private static void add(Object value, ResultHash hash) {
        if (value instanceof Inet inet) {
            hash.address(inet);
        } else {
            hash.word((Long) value);
        }
    }
}
