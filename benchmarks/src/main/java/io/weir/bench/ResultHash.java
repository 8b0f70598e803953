package io.weir.bench;

/**
 * A hash of a result of packets and bytes per source, whatever the order of its rows; the native
 * baseline computes the same. A wrong answer cannot be fast. One thread.
 */
public final class ResultHash {
    private long sum;
    private long groups;

    /** Adds a row; addresses as in {@link io.weir.operators.graph.Inet}. */
    public void add(int family, long high, long low, long packets, long bytes) {
        long hash = mix(family);
        hash = mix(hash ^ high);
        hash = mix(hash ^ low);
        hash = mix(hash ^ packets);
        sum += mix(hash ^ bytes);
        groups++;
    }

    public long value() {
        return sum;
    }

    /** Rows added. */
    public long groups() {
        return groups;
    }

    /** MurmurHash3's finalizer. */
    private static long mix(long word) {
        long z = word;
        z = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
        z = (z ^ z >>> 33) * 0xc4ceb9fe1a85ec53L;
        return z ^ z >>> 33;
    }
}
