package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.capture.CaptureBenchmark;
import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.KernelBenchmark;
import io.weir.bench.wire.LoopbackProgram;
import io.weir.bench.wire.WireBenchmark;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every benchmark once, tiny, so that none can rot; their own checks look at the results. */
class BenchmarksSmokeTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({
        "per_source_600k, flow32, WARM",
        "per_source_600k, full, FRESH",
        "superspreader, flow32, FRESH"
    })
    void kernels(String work, String layout, String state) throws Exception {
        Path trace = directory.resolve("trace");
        GpvTrace.write(TrafficShape.of(20_000, 500, 17).withIpv6(30), layout, trace);
        Map<String, Object> params =
                Map.of("work", work, "layout", layout, "state", state, "file", trace);
        runs(KernelBenchmark.class, "trace", params);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void captures(String layout) throws Exception {
        TrafficShape shape = TrafficShape.of(20_000, 500, 17).withIpv6(30);
        Path capture = directory.resolve("traffic.pcap");
        CaptureFile.write(shape, CaptureFile.HEADERS_ONLY, capture);
        ResultHash expected = SourceTotals.of(shape).hash();
        Map<String, Object> params = CaptureSuite.params(capture, shape, expected, layout);
        runs(CaptureBenchmark.class, "ring", params);
        runs(CaptureBenchmark.class, "rows", params);
        runs(CaptureBenchmark.class, "memory", params);
    }

    @Test
    void liveSources() throws Exception {
        runs(WireBenchmark.class, "gpvs", Map.of());
        Optional<String> program =
                LoopbackProgram.build(Path.of("native", "udp", "loopback.c"), directory);
        if (program.isPresent()) {
            runs(WireBenchmark.class, "udp", Map.of("program", program.get()));
        }
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: its frames are not measured");
        Path capture = directory.resolve("repeated.pcap");
        CaptureFile.write(TrafficShape.of(5_000, 500, 17), CaptureFile.HEADERS_ONLY, capture);
        runs(WireBenchmark.class, "dpdk", Map.of("file", capture));
    }

    private static void runs(Class<?> benchmark, String method, Map<String, Object> params) {
        JmhRun run = JmhRun.inProcess(benchmark, method, params);
        assertTrue(run.hashOk(), benchmark + " " + params);
        assertTrue(run.mpps() > 0);
    }
}
