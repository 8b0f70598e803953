package io.weir.cluster.faults;

import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The packets of a capture that is replayed again and again, as the queries of {@link Queries} see
 * them. The right rows are counted from these, packet by packet, without the engine. A packet's
 * index counts through all rounds. Immutable.
 */
final class Frames {
    /** The gap that {@link io.weir.ingest.source.CaptureLoop} leaves between two rounds. */
    private static final long GAP_NS = 1_000_000L;

    /** The bound of the disorder of packets in a capture. */
    private static final long DISORDER_NS = 500_000_000L;

    private long[] offsetsNs = new long[1 << 12];
    private long[] flows = new long[1 << 12];
    private int[] bytes = new int[1 << 12];
    private int count;
    private long periodNs;

    /** Takes a packet: its time, flow and length. */
    @FunctionalInterface
    interface Consumer {
        void packet(long tsNs, long flow, int bytes);
    }

    Frames(Path capture) {
        PacketHeaders headers = new PacketHeaders();
        try (CaptureFile file = Captures.open(capture)) {
            long firstNs = 0;
            long newestNs = 0;
            for (boolean first = true; file.next(); first = false) {
                firstNs = first ? file.tsNs() : firstNs;
                newestNs = first ? firstNs : Math.max(newestNs, file.tsNs());
                int code =
                        PacketDecoder.decode(
                                file.address(),
                                file.capLen(),
                                file.wireLen(),
                                file.linkType(),
                                headers);
                if (code == PacketDecoder.IP_PACKET) {
                    add(file.tsNs() - firstNs, headers);
                }
            }
            periodNs = newestNs - firstNs + GAP_NS;
        }
        if (count == 0) {
            throw new WeirException(ErrorCode.INVALID_OPTION, capture + " has no IP packets");
        }
    }

    private void add(long offsetNs, PacketHeaders headers) {
        if (count == flows.length) {
            offsetsNs = Arrays.copyOf(offsetsNs, 2 * count);
            flows = Arrays.copyOf(flows, 2 * count);
            bytes = Arrays.copyOf(bytes, 2 * count);
        }
        offsetsNs[count] = offsetNs;
        flows[count] = Flow.of(headers.proto, headers.srcPort, headers.dstPort);
        bytes[count++] = headers.bytes;
    }

    /**
     * Passes on packets with times in [from, to) of a replay, and with an index below a limit.
     *
     * @param beginNs time of the first frame
     */
    void each(long beginNs, long fromNs, long toNs, long limit, Consumer consumer) {
        long round = Math.max(0, (fromNs - DISORDER_NS - beginNs) / periodNs);
        for (; ; round++) {
            long shiftNs = beginNs + round * periodNs;
            for (int i = 0; i < count; i++) {
                long tsNs = shiftNs + offsetsNs[i];
                if (tsNs >= toNs + DISORDER_NS || round * count + i >= limit) {
                    return;
                }
                if (tsNs >= fromNs && tsNs < toNs) {
                    consumer.packet(tsNs, flows[i], bytes[i]);
                }
            }
        }
    }

    /** Returns how many packets a replay had at this time. */
    long before(long beginNs, long atNs) {
        long[] packets = {0};
        each(beginNs, Long.MIN_VALUE / 2, atNs, Long.MAX_VALUE, (tsNs, flow, b) -> packets[0]++);
        return packets[0];
    }

    /** Returns the mean. */
    long packetsASecond() {
        return count * 1_000_000_000L / periodNs;
    }
}
