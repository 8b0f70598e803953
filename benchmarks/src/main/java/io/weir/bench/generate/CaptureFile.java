package io.weir.bench.generate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes traffic as a pcap file (nanoseconds, Ethernet) of any size, in constant memory. The
 * packets of some bursts at a time are mixed, a microsecond apart, so a GPV cache must put them
 * together again. Equal arguments make equal files.
 */
public final class CaptureFile {
    /** Bursts that are mixed at any time. */
    public static final int BURSTS_MIXED = 256;

    /** The length that backbone captures use, enough for the headers. */
    public static final int HEADERS_ONLY = 96;

    private static final int MAGIC_NS = 0xa1b23c4d;
    private static final int LINK_ETHERNET = 1;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final FileChannel channel;
    private final int snapBytes;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] payload;
    private long clockNs = Traffic.START_NS;

    private CaptureFile(FileChannel channel, int snapBytes) {
        this.channel = channel;
        this.snapBytes = snapBytes;
        payload = new byte[snapBytes];
    }

    /**
     * Writes the whole file, over an existing one.
     *
     * @param snapBytes of a frame that are kept, at least its headers: 74, and without IPv6 54
     */
    public static void write(TrafficShape shape, int snapBytes, Path file) throws IOException {
        int headers = shape.ipv6Percent() == 0 ? Frame.IPV4_HEADER_BYTES : Frame.MOST_HEADER_BYTES;
        if (snapBytes < headers || snapBytes > BUFFER_BYTES / 2) {
            throw new IllegalArgumentException("snap length of " + snapBytes + " bytes");
        }
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            new CaptureFile(channel, snapBytes).write(shape);
            // The disk's work must not fall into the next measurement.
            channel.force(false);
        }
    }

    private void write(TrafficShape shape) throws IOException {
        buffer.putInt(MAGIC_NS).putShort((short) 2).putShort((short) 4);
        buffer.putInt(0).putInt(0).putInt(snapBytes).putInt(LINK_ETHERNET);
        Traffic traffic = new Traffic(shape);
        SplitMix order = new SplitMix(~shape.seed());
        UnderWay[] mixed = new UnderWay[BURSTS_MIXED];
        int open = 0;
        while (open < BURSTS_MIXED && (mixed[open] = UnderWay.start(traffic)) != null) {
            open++;
        }
        while (open > 0) {
            int pick = order.nextInt(open);
            if (!packet(mixed[pick]) && !mixed[pick].restart(traffic)) {
                mixed[pick] = mixed[--open];
            }
        }
        drain();
    }

    /** Writes the burst's next packet. Returns false when it was its last. */
    private boolean packet(UnderWay burst) throws IOException {
        if (buffer.remaining()
                < RECORD_HEADER_BYTES + Math.max(snapBytes, Frame.MOST_HEADER_BYTES)) {
            drain();
        }
        int wireBytes = Frame.ETHERNET_BYTES + burst.packets.bytes[burst.written];
        int keptBytes = Math.min(wireBytes, snapBytes);
        buffer.putInt((int) (clockNs / NS_PER_SECOND)).putInt((int) (clockNs % NS_PER_SECOND));
        buffer.putInt(keptBytes).putInt(wireBytes);
        int start = buffer.position();
        Frame.write(buffer, burst.packets, burst.written);
        buffer.put(payload, 0, keptBytes - (buffer.position() - start));
        clockNs += 1000;
        return burst.advance();
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** A burst of which some packets are written. */
    private static final class UnderWay {
        private final Burst packets = new Burst();
        private int written;

        private static UnderWay start(Traffic traffic) {
            UnderWay burst = new UnderWay();
            return burst.restart(traffic) ? burst : null;
        }

        private boolean restart(Traffic traffic) {
            written = 0;
            return traffic.next(packets);
        }

        private boolean advance() {
            written++;
            return written < packets.count;
        }
    }
}
