package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.kernel.FreshKernel;
import io.weir.bench.kernel.WarmKernel;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every benchmark once, tiny, so that none can rot; their own checks look at the results. */
class BenchmarksSmokeTest {
    @ParameterizedTest
    @CsvSource({"flow32, 0", "flow32, 30", "full, 30"})
    void kernels(String layout, int ipv6Percent) {
        for (Class<?> benchmark : new Class<?>[] {WarmKernel.class, FreshKernel.class}) {
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
            JmhRun run = JmhRun.inProcess(benchmark, params);
            assertTrue(run.hashOk(), benchmark + " " + params);
            assertTrue(run.mpps() > 0);
        }
    }
}
