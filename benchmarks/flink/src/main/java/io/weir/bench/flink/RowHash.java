package io.weir.bench.flink;

/** Rows and their hash, the same as {@code io.weir.bench.ResultHash}. One thread. */
final class RowHash {
    private static final long SEED = 0x5765_6972;

    private long rows;
    private long sum;

    void add(long[] words) {
        long row = SEED;
        for (long word : words) {
            row = mix(row ^ word);
        }
        sum += row;
        rows++;
    }

    /** MurmurHash3's finalizer. */
    private static long mix(long word) {
        long z = word;
        z = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
        z = (z ^ z >>> 33) * 0xc4ceb9fe1a85ec53L;
        return z ^ z >>> 33;
    }

    @Override
    public String toString() {
        return String.format("%d %016x", rows, sum);
    }
}
