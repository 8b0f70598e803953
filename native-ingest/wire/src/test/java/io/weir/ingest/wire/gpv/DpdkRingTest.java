package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.ingest.wire.dpdk.DpdkFactory;
import io.weir.ingest.wire.dpdk.DpdkProgram;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.time.Deadline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Datagrams with GPVs in the frames of DPDK's net_ring, which this process fills itself. */
@Timeout(120)
class DpdkRingTest {
    private static final long SEED = Long.getLong("weir.seed", 7);
    private static final int PORT = 23_600;
    private static final int DATAGRAMS = 20_000;
    private static final int PACKETS = 8;
    private static final int MOST_BYTES = 2048;

    @TempDir private Path folder;

    /** Puts a frame into the ring: 1; 0 if there is no room; below 0 if that cannot be. */
    private static native int feed(long frame, int length);

    @Test
    void gpvsOfEightPacketsArriveWhole() throws Exception {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: net_ring is not tested");
        System.load(DpdkProgram.ringFeed(folder).toString());
        Random random = new Random(SEED);
        long now = System.currentTimeMillis() * 1_000_000;
        Datagrams sender = new Datagrams(random, 3, 0, "flow32", now);
        List<String> sent = new ArrayList<>();
        String uri = "dpdk:net_ring0?allow=10.7.0.0/24&gpv=" + PORT;
        List<SourceSpec> specs = Sources.parse(uri, "here");
        try (NativeAllocator allocator = new NativeAllocator(1 << 20);
                RingEnd end = new RingEnd();
                Source source =
                        new DpdkFactory().open(specs, 0, end.context("flow32", () -> now))) {
            long room = allocator.allocate(MOST_BYTES, MemoryTag.TEST);
            for (int i = 0; i < DATAGRAMS; i++) {
                byte[] datagram = sender.next(1, PACKETS);
                sent.addAll(sender.rows);
                put(GpvFrames.frame(random, "10.7.0.9", PORT, datagram), room, source, end);
            }
            allocator.free(room, MOST_BYTES, MemoryTag.TEST);
            Deadline most = Deadline.afterMs(60_000);
            while (end.rows.size() < sent.size() && !most.isOver()) {
                step(source, end);
            }
            source.stop();
            while (source.step()) {
                end.read();
            }
            end.read();
            String at = "-Dweir.seed=" + SEED + " " + end.account.snapshot();
            assertEquals(sent.stream().sorted().toList(), end.rows.stream().sorted().toList(), at);
            assertEquals(DATAGRAMS, page(end, "gpv blocks").processed(), at);
            assertEquals(DATAGRAMS * PACKETS, page(end, "gpvs").processed(), at);
            assertEquals(0, end.lostInAll(), at);
            assertTrue(end.account.isBalanced(), at);
        }
    }

    private static void put(byte[] frame, long room, Source source, RingEnd end) {
        for (int i = 0; i < frame.length; i++) {
            Memory.putByte(room + i, frame[i]);
        }
        int put = feed(room, frame.length);
        while (put == 0) {
            step(source, end);
            put = feed(room, frame.length);
        }
        assertEquals(1, put, "the ring takes no frame");
    }

    private static void step(Source source, RingEnd end) {
        source.step();
        end.read();
    }

    private static Stage.Snapshot page(RingEnd end, String name) {
        return end.account.snapshot().stream()
                .filter(page -> page.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
