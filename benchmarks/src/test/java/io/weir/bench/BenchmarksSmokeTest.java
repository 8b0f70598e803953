package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.capture.CaptureBenchmark;
import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.FreshKernel;
import io.weir.bench.kernel.WarmKernel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every benchmark once, tiny, so that none can rot; their own checks look at the results. */
class BenchmarksSmokeTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({"flow32, 0", "flow32, 30", "full, 30"})
    void kernels(String layout, int ipv6Percent) {
        Map<String, Object> params =
                Map.of(
                        "sources",
                        500,
                        "packets",
                        20_000,
                        "layout",
                        layout,
                        "ipv6Percent",
                        ipv6Percent);
        runs(WarmKernel.class, "block", params);
        runs(FreshKernel.class, "trace", params);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void captures(String layout) throws Exception {
        TrafficShape shape = TrafficShape.of(20_000, 500, 17).withIpv6(30);
        Path capture = directory.resolve("traffic.pcap");
        CaptureFile.write(shape, CaptureFile.HEADERS_ONLY, capture);
        ResultHash expected = SourceTotals.of(shape).hash(1);
        Map<String, Object> params = CaptureSuite.params(capture, shape, expected, layout);
        runs(CaptureBenchmark.class, "ring", params);
        runs(CaptureBenchmark.class, "rows", params);
    }

    private static void runs(Class<?> benchmark, String method, Map<String, Object> params) {
        JmhRun run = JmhRun.inProcess(benchmark, method, params);
        assertTrue(run.hashOk(), benchmark + " " + params);
        assertTrue(run.mpps() > 0);
    }
}
