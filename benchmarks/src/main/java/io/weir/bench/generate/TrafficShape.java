package io.weir.bench.generate;

/**
 * The shape of traffic; equal shapes are equal packets. The default is the benchmarks' trace. It
 * has sources by Zipf's law, each of them seen, and 4 to 8 packets in a burst of one flow, 4.6 on
 * average.
 *
 * @param packets exactly so many
 * @param sources distinct source addresses, as long as there are as many bursts
 * @param exponent of Zipf's law
 * @param ipv6Percent share of sources that are IPv6, 0 to 100
 * @param packetNs from a burst to the next one, for each packet
 */
public record TrafficShape(
        long packets, int sources, double exponent, int ipv6Percent, int packetNs, long seed) {
    /** The mean of the weights in {@link Traffic}. */
    static final double PACKETS_PER_BURST = 4.6;

    public TrafficShape {
        if (packets < 1 || sources < 1 || !(exponent > 0)) {
            throw new IllegalArgumentException(
                    packets + " packets, " + sources + " sources, exponent " + exponent);
        }
        if (packetNs < 1) {
            throw new IllegalArgumentException(packetNs + " ns per packet");
        }
        if (ipv6Percent < 0 || ipv6Percent > 100) {
            throw new IllegalArgumentException("IPv6 share of " + ipv6Percent + " percent");
        }
    }

    /** IPv4 sources by the classical law, a million packets a second. */
    public static TrafficShape of(long packets, int sources, long seed) {
        return new TrafficShape(packets, sources, 1.0, 0, 1000, seed);
    }

    public TrafficShape withIpv6(int percent) {
        return new TrafficShape(packets, sources, exponent, percent, packetNs, seed);
    }

    public TrafficShape withPacketNs(int ns) {
        return new TrafficShape(packets, sources, exponent, ipv6Percent, ns, seed);
    }

    /** A name for files, one to one with the shape. */
    public String fileName() {
        return String.format(
                "p%d-s%d-z%s-v6-%d-ns%d-%d",
                packets, sources, exponent, ipv6Percent, packetNs, seed);
    }
}
