package io.weir.bench.generate;

/**
 * The bursts of a shape, one after the other; the same for the same shape. A microsecond passes per
 * packet. One thread.
 */
public final class Traffic {
    /** 2026-01-01T00:00:00Z. */
    static final long START_NS = 1_767_225_600_000_000_000L;

    private static final int PACKET_NS = 1000;

    /**
     * Of 65,536 bursts so many have at most 4, 5, 6, 7 packets: weights of 0.393^k for 4 + k
     * packets, 4.6 on average.
     */
    private static final int[] AT_MOST = {40_157, 55_940, 62_141, 64_579};

    /** IP lengths by a random byte: many small, many full, some between. */
    private static final int[] LENGTHS = lengths();

    private final TrafficShape shape;
    private final SplitMix random;
    private final Zipf zipf;
    private final long burstsWithNewcomers;
    private long bursts;
    private long packetsLeft;
    private long clockNs = START_NS;

    public Traffic(TrafficShape shape) {
        this.shape = shape;
        random = new SplitMix(shape.seed());
        zipf = new Zipf(shape.sources(), shape.exponent());
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
        addresses(burst, source());
        ports(burst, draws >>> 32);
        burst.count = (int) Math.min(count((int) draws & 0xffff), packetsLeft);
        burst.startNs = clockNs;
        burst.ttl = 48 + (int) (draws >>> 16 & 15);
        packets(burst, random.nextLong(), random.nextLong());
        bursts++;
        packetsLeft -= burst.count;
        clockNs += (long) burst.count * PACKET_NS;
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

    private void addresses(Burst burst, int source) {
        int src = SplitMix.mix(source ^ (int) shape.seed());
        int dst = SplitMix.mix((int) random.nextLong());
        boolean ipv6 = (src >>> 1) % 100 < shape.ipv6Percent();
        burst.family = ipv6 ? 6 : 4;
        burst.srcLow = ipv6 ? SplitMix.mix((long) src) : Integer.toUnsignedLong(src);
        burst.srcHigh = ipv6 ? 0x2001_0db8_0000_0000L | src & 0xffff : 0;
        burst.dstLow = ipv6 ? SplitMix.mix((long) dst) : Integer.toUnsignedLong(dst);
        burst.dstHigh = ipv6 ? 0x2001_0db8_ffff_0000L | dst & 0xff : 0;
    }

    private static void ports(Burst burst, long draws) {
        boolean tcp = (draws & 7) != 0;
        burst.proto = tcp ? Burst.TCP : Burst.UDP;
        burst.srcPort = 1024 + (int) (draws >>> 3 & 0x7fff);
        int service = (int) (draws >>> 18 & 3);
        burst.dstPort = tcp ? (service == 0 ? 80 : 443) : (service == 0 ? 53 : 4433);
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
        burst.tcpSeq = burst.proto == Burst.TCP ? (int) gapDraws : 0;
        burst.tcpAck = burst.proto == Burst.TCP ? (int) lengthDraws : 0;
        burst.ipId = (int) (lengthDraws >>> 48);
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
