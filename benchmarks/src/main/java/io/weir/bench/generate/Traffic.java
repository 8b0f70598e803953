package io.weir.bench.generate;

/**
 * The bursts of a shape, one after the other; the same for the same shape. A source speaks to a few
 * popular servers and a few peers of its own, over a few ports, so flows come back. One source in
 * 64 scans. One thread.
 */
public final class Traffic {
    /** 2026-01-01T00:00:00Z. */
    static final long START_NS = 1_767_225_600_000_000_000L;

    /**
     * The number, out of 65,536 bursts, with at most 4, 5, 6, 7 packets: weights of 0.393^k for 4 +
     * k packets, 4.6 on average.
     */
    private static final int[] AT_MOST = {40_157, 55_940, 62_141, 64_579};

    /** IP lengths by a random byte: many small, many full, some between. */
    private static final int[] LENGTHS = lengths();

    private static final int[] SERVICES = {
        443, 443, 443, 443, 443, 443, 80, 80, 80, 8080, 25, 993, 22, 22, 5432, 53
    };

    /**
     * The step is for the bytes of all flows together, so a flow's numbers go up from burst to
     * burst.
     */
    private static final int SEQ_PER_PACKET = 1460;

    private final TrafficShape shape;
    private final SplitMix random;
    private final Zipf zipf;
    private final Zipf servers;
    private final long burstsWithNewcomers;
    private long bursts;
    private long packetsLeft;
    private long clockNs = START_NS;

    public Traffic(TrafficShape shape) {
        this.shape = shape;
        random = new SplitMix(shape.seed());
        zipf = new Zipf(shape.sources(), shape.exponent());
        servers = new Zipf(Math.max(16, shape.sources() / 8), shape.exponent());
        packetsLeft = shape.packets();
        // A little under the mean, so that the last source comes before the last packet.
        double expected = 0.98 * shape.packets() / TrafficShape.PACKETS_PER_BURST;
        burstsWithNewcomers = Math.max(1, (long) expected);
    }

    /** Fills in the next burst; false after the last. */
    public boolean next(Burst burst) {
        if (packetsLeft == 0) {
            return false;
        }
        long draws = random.nextLong();
        flow(burst, SplitMix.mix(source() ^ (int) shape.seed()), random.nextLong());
        burst.count = (int) Math.min(count((int) draws & 0xffff), packetsLeft);
        burst.startNs = clockNs;
        burst.ttl = 48 + (int) (draws >>> 16 & 15);
        packets(burst, random.nextLong(), random.nextLong());
        if (burst.proto == Burst.TCP) {
            segments(burst, (int) (draws >>> 32));
        } else {
            noSegments(burst);
        }
        bursts++;
        packetsLeft -= burst.count;
        clockNs += (long) burst.count * shape.packetNs();
        return true;
    }

    /** Sources that were not seen yet come evenly spread, the others by Zipf's law. */
    private int source() {
        int zipfRank = zipf.draw(random);
        if (bursts >= burstsWithNewcomers) {
            return zipfRank;
        }
        long before = newcomers(bursts);
        return newcomers(bursts + 1) > before ? (int) before : zipfRank;
    }

    private long newcomers(long afterBursts) {
        if (shape.sources() >= burstsWithNewcomers) {
            return afterBursts;
        }
        return (long) ((double) shape.sources() * afterBursts / burstsWithNewcomers);
    }

    private void flow(Burst burst, int src, long draws) {
        boolean scans = (src & 63) == 0;
        int dst = destination(src, scans, draws);
        boolean ipv6 = (src >>> 1) % 100 < shape.ipv6Percent();
        burst.family = ipv6 ? 6 : 4;
        burst.srcLow = ipv6 ? SplitMix.mix((long) src) : Integer.toUnsignedLong(src);
        burst.srcHigh = ipv6 ? 0x2001_0db8_0000_0000L | src & 0xffff : 0;
        burst.dstLow = ipv6 ? SplitMix.mix((long) dst) : Integer.toUnsignedLong(dst);
        burst.dstHigh = ipv6 ? 0x2001_0db8_ffff_0000L | dst & 0xff : 0;
        int pair = SplitMix.mix(src + 31 * dst);
        boolean tcp = scans || (pair & 7) != 0;
        burst.proto = tcp ? Burst.TCP : Burst.UDP;
        burst.srcPort = 1024 + ((pair >>> 8) + (int) (draws >>> 8 & 3) & 0x7fff);
        int service = SERVICES[dst >>> 3 & SERVICES.length - 1];
        burst.dstPort = scans ? (int) (draws >>> 10 & 0xffff) : tcp ? service : 53;
    }

    private int destination(int src, boolean scans, long draws) {
        if (scans) {
            return SplitMix.mix((int) (draws >>> 32));
        }
        if ((draws & 1) == 0) {
            return SplitMix.mix(~servers.draw(random));
        }
        return SplitMix.mix(src + 1 + (int) (draws >>> 1 & 7));
    }

    private static int count(int draw) {
        int more = 0;
        while (more < AT_MOST.length && draw >= AT_MOST[more]) {
            more++;
        }
        return 4 + more;
    }

    private static void packets(Burst burst, long lengthDraws, long gapDraws) {
        int least = burst.headerBytes();
        int micros = 0;
        for (int i = 0; i < burst.count; i++) {
            burst.deltaMicros[i] = micros;
            micros += (int) (gapDraws >>> 8 * i & 0xff);
            burst.bytes[i] = Math.max(least, LENGTHS[(int) (lengthDraws >>> 8 * i & 0xff)]);
        }
        burst.tcpAck = burst.proto == Burst.TCP ? (int) lengthDraws : 0;
        burst.ipId = (int) (lengthDraws >>> 48);
    }

    /**
     * Sets flags and sequence numbers. One burst in eight opens a connection, some of them with the
     * ECN bits. One in sixteen answers such a one, and one in eight ends one. In one of sixteen two
     * packets changed places.
     */
    private void segments(Burst burst, int draws) {
        int opening = draws & 15;
        if (opening <= 2) {
            burst.bytes[0] = burst.headerBytes();
        }
        int seq =
                SplitMix.mix(burst.srcPort)
                        + (int) ((clockNs - START_NS) / shape.packetNs()) * SEQ_PER_PACKET;
        for (int i = 0; i < burst.count; i++) {
            burst.tcpFlags[i] = burst.payloadBytes(i) > 0 ? 0x18 : 0x10;
            burst.tcpSeq[i] = seq;
            seq += burst.payloadBytes(i);
        }
        if (opening == 0) {
            burst.tcpFlags[0] = 0x12;
        } else if (opening <= 2) {
            burst.tcpFlags[0] = (draws >>> 4 & 7) == 0 ? 0xc2 : 0x02;
        }
        if ((draws >>> 8 & 7) == 0) {
            burst.tcpFlags[burst.count - 1] |= 1;
        }
        if ((draws >>> 12 & 15) == 0 && burst.count > 2) {
            int late = burst.tcpSeq[1];
            burst.tcpSeq[1] = burst.tcpSeq[2];
            burst.tcpSeq[2] = late;
        }
    }

    private static void noSegments(Burst burst) {
        for (int i = 0; i < burst.count; i++) {
            burst.tcpFlags[i] = 0;
            burst.tcpSeq[i] = 0;
        }
    }

    private static int[] lengths() {
        int[] lengths = new int[256];
        for (int i = 0; i < lengths.length; i++) {
            if (i < 112) {
                lengths[i] = 40 + i % 28;
            } else if (i < 160) {
                lengths[i] = 100 + (i - 112) * 25;
            } else {
                lengths[i] = i < 200 ? 1420 : 1500;
            }
        }
        return lengths;
    }
}
