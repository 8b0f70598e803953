package io.weir.bench.wire;

import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The frames of a capture from DPDK's net_pcap, again and again, to rows. One thread. */
final class DpdkFrames implements AutoCloseable {
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int IP_BYTES_AT = 14 + 2;
    private static final int IP_SOURCE_AT = 14 + 12;

    private final LiveRun run;
    private final RepeatedTotals expected;

    /**
     * @param capture of frames of IPv4 over Ethernet
     */
    DpdkFrames(Path capture) throws IOException {
        expected = totals(capture);
        String uri = "dpdk:net_pcap0?infinite_rx=1&mbuf_size=256&rx_pcap=" + capture;
        run =
                new LiveRun(
                        "full",
                        context -> new DpdkFactory().open(Sources.parse(uri, "bench"), 0, context));
    }

    private static RepeatedTotals totals(Path capture) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(capture)).order(ByteOrder.BIG_ENDIAN);
        List<long[]> packets = new ArrayList<>();
        int at = FILE_HEADER;
        while (at < file.limit()) {
            int frame = at + RECORD_HEADER;
            long bytes = Short.toUnsignedLong(file.getShort(frame + IP_BYTES_AT));
            packets.add(new long[] {file.getInt(frame + IP_SOURCE_AT), bytes});
            at = frame + file.getInt(at + 8);
        }
        return new RepeatedTotals(
                packets.stream().mapToInt(packet -> (int) packet[0]).toArray(),
                packets.stream().mapToLong(packet -> packet[1]).toArray(),
                1);
    }

    long read(long packets) {
        return run.read(packets);
    }

    /** Ends the source, and checks rows and account. */
    void end() {
        run.end();
        var capture = run.stage("capture");
        if (capture.processed() != capture.offered()) {
            throw new IllegalStateException("packets were lost: " + capture);
        }
        run.check(expected.of(capture.processed()));
    }

    @Override
    public void close() {
        run.close();
    }
}
