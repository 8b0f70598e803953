package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap that a replay takes does not grow with the packets. */
class AllocationTest {
    private static final int FEW = 20_000;
    private static final int MANY = 400_000;

    @TempDir Path folder;

    @Test
    void nothingIsAllocatedPerPacket() throws IOException {
        Path few = folder.resolve("few");
        Path many = folder.resolve("many");
        CaptureSpeed.write(few, FEW, 500, 1);
        CaptureSpeed.write(many, MANY, 500, 2);
        long before = allocated(few);
        long fewBytes = allocated(few);
        long manyBytes = allocated(many);
        double each = (double) (manyBytes - fewBytes) / (MANY - FEW);
        assertTrue(each < 0.05, each + " bytes a packet; first run " + before);
    }

    private static long allocated(Path path) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                BlockRing ring = new BlockRing(allocator, 1 << 20)) {
            BlockWriter writer =
                    new BlockWriter(ring, 0, BlockWriter.DEFAULT_BLOCK_BYTES, new Discard(ring));
            try (CaptureSource source =
                    new CaptureSource(
                            List.of(SourceSpec.pcap("node", path)),
                            new SourceContext(
                                    SourceConfig.DEFAULT,
                                    List.of(writer),
                                    allocator,
                                    new Account(),
                                    Outlet.UNHELD))) {
                long from = threads.getCurrentThreadAllocatedBytes();
                source.run();
                return threads.getCurrentThreadAllocatedBytes() - from;
            }
        }
    }
}
