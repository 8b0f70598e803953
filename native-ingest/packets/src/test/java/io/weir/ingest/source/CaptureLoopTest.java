package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.memory.Fifo;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.Unheld;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class CaptureLoopTest {
    @TempDir private Path folder;

    /** Whoever stops it before it waits for the pipe's writer is not heard later. */
    @Test
    void oneThatWasStoppedBeforeDoesNotWaitForAWriter() {
        List<SourceSpec> inputs = List.of(SourceSpec.pcap("a", Fifo.in(folder, "pipe")));
        SourceConfig config = new SourceConfig(0, CacheConfig.DEFAULT);
        try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                Outlet outlet = new Outlet(allocator, 0, 64 * 1024)) {
            CaptureLoop loop =
                    new CaptureLoop(
                            inputs,
                            new SourceContext(
                                    config,
                                    List.of(outlet.writer),
                                    allocator,
                                    new Account(),
                                    new Unheld(false),
                                    PacketGate.ALL),
                            outlet::read);
            loop.stop();
            loop.runLive(firstNs -> {});
            outlet.read();
            assertFalse(Thread.currentThread().isInterrupted());
            assertEquals(0, loop.packets());
            assertTrue(outlet.ended);
        }
    }
}
