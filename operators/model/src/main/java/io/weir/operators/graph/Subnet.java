package io.weir.operators.graph;

/** Address tests that generated code calls; small enough to be inlined. */
public final class Subnet {
    private Subnet() {}

    /** Returns whether the address lies in network/prefix. Another family never does. */
    public static boolean contains(
            long networkFamily,
            long networkHigh,
            long networkLow,
            long prefix,
            long family,
            long high,
            long low) {
        if (family != networkFamily) {
            return false;
        }
        if (family == 4) {
            return prefix <= 0 || (networkLow ^ low) >>> (32 - prefix) == 0;
        }
        if (prefix <= 64) {
            return prefix <= 0 || (networkHigh ^ high) >>> (64 - prefix) == 0;
        }
        return networkHigh == high && (networkLow ^ low) >>> (128 - prefix) == 0;
    }

    /** The order of {@link Inet#compareTo}, over words. */
    public static int compare(
            long family, long high, long low, long otherFamily, long otherHigh, long otherLow) {
        if (family != otherFamily) {
            return Long.compare(family, otherFamily);
        }
        int byHigh = Long.compareUnsigned(high, otherHigh);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
    }
}
