package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.bench.capture.CaptureRun;
import io.weir.bench.generate.CaptureFile;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.KernelRun;
import io.weir.bench.kernel.Work.State;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packet path allocates nothing on the heap, counted exactly on the thread that runs it. */
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void aKernelAllocatesNothing(String layout) throws Exception {
        Path file = directory.resolve("trace");
        GpvTrace.write(TrafficShape.of(100_000, 2_000, 19).withIpv6(30), layout, file);
        try (KernelRun run =
                new KernelRun(PerSource.query(), layout, State.WARM, GpvTrace.open(file))) {
            run.pass();
            long least = Long.MAX_VALUE;
            // The JVM itself allocates now and then, when it changes over to compiled code.
            for (int pass = 0; pass < 5; pass++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                run.pass();
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least);
            run.check();
        }
    }

    @Test
    void aCaptureAllocatesTheSameWhateverItsLength() throws Exception {
        CaptureRun brief = captureOf(40_000);
        CaptureRun tenTimes = captureOf(400_000);
        allocatedBytes(brief);
        allocatedBytes(tenTimes);
        long briefBytes = allocatedBytes(brief);
        long tenTimesBytes = allocatedBytes(tenTimes);
        assertTrue(
                tenTimesBytes - briefBytes < 16 << 10,
                () -> briefBytes + " bytes, and " + tenTimesBytes + " for ten times the packets");
    }

    private CaptureRun captureOf(long packets) throws Exception {
        Path capture = directory.resolve(packets + ".pcap");
        CaptureFile.write(TrafficShape.of(packets, 500, 23), CaptureFile.HEADERS_ONLY, capture);
        return new CaptureRun(capture, "full");
    }

    private static long allocatedBytes(CaptureRun run) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        run.toRing();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
