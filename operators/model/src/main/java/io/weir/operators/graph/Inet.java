package io.weir.operators.graph;

/**
 * An address: family 4 or 6 and 128 bits. An IPv4 address has {@code high == 0} and its 32 bits in
 * {@code low}. It is not the same value as the IPv4-mapped IPv6 address.
 */
public record Inet(int family, long high, long low) implements Comparable<Inet> {
    public Inet {
        if (family != 4 && family != 6) {
            throw new IllegalArgumentException("family " + family);
        }
        if (family == 4 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("IPv4 address of more than 32 bits");
        }
    }

    public static Inet v4(int address) {
        return new Inet(4, 0, address & 0xFFFF_FFFFL);
    }

    public static Inet v6(long high, long low) {
        return new Inet(6, high, low);
    }

    /** IPv4 before IPv6, then by unsigned value. */
    @Override
    public int compareTo(Inet other) {
        int byFamily = Integer.compare(family, other.family);
        if (byFamily != 0) {
            return byFamily;
        }
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    /** Canonical text: dotted quad, or RFC 5952. */
    @Override
    public String toString() {
        return InetText.format(family, high, low);
    }
}
