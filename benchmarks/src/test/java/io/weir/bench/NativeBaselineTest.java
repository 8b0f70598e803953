package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.bench.NativeBaseline.Rate;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeBaselineTest {
    @TempDir private static Path directory;

    private static Optional<NativeBaseline> baseline;

    @BeforeAll
    static void build() throws Exception {
        baseline = NativeBaseline.build(Path.of("native"), directory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void everyVariantCountsRight(String layout) throws Exception {
        assumeTrue(baseline.isPresent(), "g++ is absent");
        TrafficShape shape = TrafficShape.of(40_000, 700, 5).withIpv6(40);
        ResultHash expected = SourceTotals.of(shape).hash(1);
        Path dump = directory.resolve("trace");
        try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                GpvTrace trace = GpvTrace.generate(shape, layout, allocator)) {
            trace.writeTo(dump);
        }
        List<Rate> rates = baseline.get().measure(dump, shape.sources(), 2);
        assertEquals(8, rates.size());
        for (Rate rate : rates) {
            assertEquals(expected.value(), rate.hash(), rate.variant());
            assertEquals(expected.groups(), rate.groups(), rate.variant());
            assertTrue(rate.mpps() > 0);
        }
    }
}
