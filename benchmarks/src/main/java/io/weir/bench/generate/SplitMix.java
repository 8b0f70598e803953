package io.weir.bench.generate;

/**
 * A small random generator with the same numbers everywhere and for ever, so that a seed names a
 * trace. From Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
 * One thread.
 */
final class SplitMix {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private long state;

    SplitMix(long seed) {
        state = seed;
    }

    long nextLong() {
        state += STEP;
        return mix(state);
    }

    /** From 0 to {@code bound} - 1; {@code bound} is over 0. */
    int nextInt(int bound) {
        return (int) ((nextLong() >>> 32) * bound >>> 32);
    }

    /** From 0 (included) to 1. */
    double nextDouble() {
        return (nextLong() >>> 11) * 0x1p-53;
    }

    /** A bijection of 64-bit words that looks random. */
    static long mix(long word) {
        long z = word;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** A bijection of 32-bit words that looks random (constants of MurmurHash3's finalizer). */
    static int mix(int word) {
        int z = word;
        z = (z ^ z >>> 16) * 0x85ebca6b;
        z = (z ^ z >>> 13) * 0xc2b2ae35;
        return z ^ z >>> 16;
    }
}
