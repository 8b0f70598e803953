package io.weir.ingest.source;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;

/**
 * How fast a capture becomes GPVs in a ring, step by step; a look, not a benchmark. Arguments:
 * packets, and how many flows are under way at a time; each has 1 to 8 packets.
 */
public final class CaptureSpeed {
    private static final int RECORD_BYTES = 16 + 60;

    private CaptureSpeed() {}

    public static void main(String[] arguments) throws IOException {
        int packets = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000_000;
        int flows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2_000;
        Path path = Files.createTempFile("speed", ".pcap");
        try {
            write(path, packets, flows, 11);
            report("read", path, CaptureSpeed::read);
            report("read, decode", path, CaptureSpeed::decode);
            report("read, decode, cache, ring", path, CaptureSpeed::toRing);
        } finally {
            Files.delete(path);
        }
    }

    private static void report(String what, Path path, ToLongFunction<Path> step) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 6; i++) {
            // Of this thread alone: what else the machine does is left out.
            long start = threads.getCurrentThreadCpuTime();
            long packets = step.applyAsLong(path);
            double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
            System.out.printf(
                    "%-26s %6.2f M packets a CPU second%n", what, packets / seconds / 1e6);
        }
    }

    private static long read(Path path) {
        long sum = 0;
        try (CaptureFile file = Captures.open(path)) {
            while (file.next()) {
                sum += file.tsNs();
            }
            return file.packets() + (sum == 0 ? 1 : 0);
        }
    }

    private static long decode(Path path) {
        PacketHeaders headers = new PacketHeaders();
        long sum = 0;
        try (CaptureFile file = Captures.open(path)) {
            while (file.next()) {
                sum +=
                        PacketDecoder.decode(
                                file.address(),
                                file.capLen(),
                                file.wireLen(),
                                file.linkType(),
                                headers);
                sum += headers.bytes + headers.tcpSeq;
            }
            return file.packets() + (sum == 0 ? 1 : 0);
        }
    }

    private static long toRing(Path path) {
        try (NativeAllocator allocator = new NativeAllocator(1L << 30);
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
                source.run();
                System.out.print(source.metrics().gpvsByCause() + " ");
                System.out.printf("%.3f ", source.metrics().evictionRatio());
                return source.metrics().packets();
            }
        }
    }

    /** TCP packets of 60 bytes at a million a second, by flows that begin and end at random. */
    static void write(Path path, int packets, int flows, long seed) throws IOException {
        Random random = new Random(seed);
        int[] left = new int[flows];
        int[] id = new int[flows];
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        header.putInt(65535).putInt(1);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
            out.write(header.array());
            for (int i = 0; i < packets; i++) {
                int flow = random.nextInt(flows);
                if (left[flow]-- <= 0) {
                    left[flow] = random.nextInt(8);
                    id[flow] = random.nextInt();
                }
                record.clear();
                record.putInt(1_700_000_000 + i / 1_000_000).putInt(i % 1_000_000);
                record.putInt(60).putInt(60);
                record.put(frame(id[flow], i));
                out.write(record.array());
            }
        }
    }

    private static byte[] frame(int id, int i) {
        int host = (int) Math.pow(600_000, (id & 0xFFFF) / 65536.0);
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.put(new byte[] {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0});
        frame.putShort((short) 46).putInt(0x1234_4000).putShort((short) 0x4006).putShort((short) 0);
        frame.putInt(0x0A00_0000 + host).putInt(0xC0A8_0000 | id >>> 20);
        frame.putShort((short) id).putShort((short) 443).putInt(i).putInt(0);
        frame.put((byte) 0x50).put((byte) 0x10).putShort((short) 1000);
        return frame.array();
    }
}
