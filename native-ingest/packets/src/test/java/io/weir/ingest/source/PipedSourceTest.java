package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.decode.Frames;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.Fifo;
import io.weir.operators.memory.NativeAllocator;
import io.weir.testing.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Packets of a pipe go on when they come. Where they did not, these tests would wait for ever. */
@Timeout(120)
class PipedSourceTest {
    private static final int PACKETS = 20;

    @TempDir Path folder;

    private final NativeAllocator allocator = new NativeAllocator(1 << 26);
    private final Outlet outlet = new Outlet(allocator, 0, 64 * 1024);
    private final Account account = new Account();

    @AfterEach
    void free() {
        outlet.close();
        allocator.close();
    }

    private CaptureSource source(Path fifo) {
        return new CaptureSource(
                List.of(SourceSpec.pcap("node", fifo)),
                new SourceContext(
                        SourceConfig.DEFAULT,
                        List.of(outlet.writer),
                        allocator,
                        account,
                        Outlet.UNHELD));
    }

    private static void packet(OutputStream out, int second) throws IOException {
        CaptureBytes record = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        Frames frames = new Frames().ethernet(0x0800).ipv4(17, 1, 2, 28, 0);
        out.write(record.record(second, 0, frames.udp(1, 2, 8).array(), 42).array());
    }

    private static byte[] header() {
        return new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
                .pcap(CaptureBytes.NANOSECONDS, 65535, 1)
                .array();
    }

    private long counted() {
        List<Stage.Snapshot> stages = account.snapshot();
        return stages.isEmpty() ? 0 : stages.get(0).offered();
    }

    @Test
    void noPacketIsHeldBackForTheNext() throws InterruptedException {
        Path fifo = Fifo.in(folder, "pipe");
        Thread writer =
                Fifo.write(
                        fifo,
                        out -> {
                            out.write(header());
                            for (int i = 0; i < PACKETS; i++) {
                                packet(out, i);
                                int before = i;
                                Await.until(() -> counted() > before);
                            }
                        });
        try (CaptureSource source = source(fifo)) {
            outlet.read(source);
        }
        writer.join();
        assertEquals(PACKETS, outlet.rows.size());
        assertTrue(account.isBalanced());
    }

    @Test
    void itCanBeStoppedWhileNothingComes() throws InterruptedException {
        Path fifo = Fifo.in(folder, "pipe");
        CountDownLatch ended = new CountDownLatch(1);
        CaptureSource[] running = new CaptureSource[1];
        Thread writer =
                Fifo.write(
                        fifo,
                        out -> {
                            out.write(header());
                            packet(out, 1);
                            Await.until(() -> counted() > 0);
                            running[0].stop();
                            ended.await();
                        });
        try (CaptureSource source = source(fifo)) {
            running[0] = source;
            outlet.read(source);
        }
        ended.countDown();
        writer.join();
        assertEquals(1, outlet.rows.size());
        assertTrue(outlet.ended);
    }
}
