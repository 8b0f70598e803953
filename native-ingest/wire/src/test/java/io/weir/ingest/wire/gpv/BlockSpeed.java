package io.weir.ingest.wire.gpv;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.time.Stopwatch;
import java.util.Random;

/**
 * Measures how fast datagrams of one GPV of 8 packets go from memory into a ring, which is thrown
 * away: {@code java … BlockSpeed SECONDS}. Each datagram is checked by C, judged by its sender and
 * copied.
 */
final class BlockSpeed {
    private static final int DATAGRAMS = 4096;
    private static final int STRIDE = 128;
    private static final int PACKETS = 8;

    private BlockSpeed() {}

    public static void main(String[] args) {
        SocketLibrary.require("gpv-udp");
        double seconds = args.length == 0 ? 2 : Double.parseDouble(args[0]);
        try (RingEnd end = new RingEnd()) {
            long room = end.allocator.allocate(STRIDE * (DATAGRAMS + 1), MemoryTag.TEST);
            int[] lengths = fill(room);
            SourceSpec spec = Sources.parse("gpv-udp:", "here").get(0);
            BlockIntake intake =
                    new BlockIntake(
                            end.context("flow32", () -> 2 * Datagrams.SECOND),
                            spec,
                            CacheConfig.DEFAULT.withLayout("flow32").layouts(),
                            256);
            for (int round = 0; round < 5; round++) {
                System.out.printf(
                        "%.1f M packets/s%n", rate(end, intake, room, lengths, seconds) / 1e6);
            }
            end.allocator.free(room, STRIDE * (DATAGRAMS + 1), MemoryTag.TEST);
        }
    }

    private static int[] fill(long room) {
        Datagrams sender = new Datagrams(new Random(1), 1, 0, "flow32", Datagrams.SECOND);
        sender.sequence = 0;
        sender.total = 0;
        int[] lengths = new int[DATAGRAMS];
        for (int i = 0; i < DATAGRAMS; i++) {
            byte[] bytes = sender.next(1, PACKETS);
            for (int b = 0; b < bytes.length; b++) {
                Memory.putByte(room + (long) i * STRIDE + b, bytes[b]);
            }
            lengths[i] = bytes.length;
        }
        return lengths;
    }

    private static int sequence;

    private static double rate(
            RingEnd end, BlockIntake intake, long room, int[] lengths, double seconds) {
        ReceivedBlock block = new ReceivedBlock().wrap(room + (long) DATAGRAMS * STRIDE);
        Stopwatch watch = Stopwatch.started();
        long packets = 0;
        while (watch.ns() < seconds * 1e9) {
            for (int i = 0; i < DATAGRAMS; i++) {
                long at = room + (long) i * STRIDE;
                Memory.putIntBigEndian(at + WireBlock.AT_SEQUENCE, sequence);
                Memory.putLongBigEndian(at + WireBlock.AT_TOTAL, sequence * (long) PACKETS);
                sequence++;
                UdpBlocks.check(at, lengths[i], room + (long) DATAGRAMS * STRIDE);
                intake.block(block, sequence, 2 * Datagrams.SECOND);
                if (i % 64 == 63) {
                    intake.passOn(sequence, 2 * Datagrams.SECOND);
                    end.skip();
                }
            }
            packets += (long) DATAGRAMS * PACKETS;
        }
        return packets / (watch.ns() / 1e9);
    }
}
