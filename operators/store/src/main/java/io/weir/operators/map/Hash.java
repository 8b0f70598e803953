package io.weir.operators.map;

import io.weir.operators.memory.Memory;

/**
 * The one hash of 64-bit key words, for maps, kernels and partitioners. Maps take low bits,
 * partitioners high ones ({@link #bucket}). So the keys of one partition still spread over a whole
 * map. Not secure against chosen keys. Stateless; any thread.
 */
public final class Hash {
    private static final long C1 = 0x9E37_79B9_7F4A_7C15L;
    private static final long C2 = 0xD6E8_FEB8_6659_FD93L;

    private Hash() {}

    public static long of(long k0) {
        long hash = k0 * C1;
        return hash ^ hash >>> 32;
    }

    /**
     * Returns the place of a one-word key in a map, in the low bits: the middle of a product.
     * Ports, lengths and the hosts of a network are close together. The product spaces them evenly,
     * and a hash that scatters does not.
     */
    static long spread(long k0) {
        return k0 * C1 >>> 32;
    }

    public static long of(long k0, long k1) {
        return mix(of(k0), k1);
    }

    /** Hashes {@code words} words at an address; one word as {@link #of(long)}, and so on. */
    public static long of(long address, int words) {
        long hash = of(Memory.getLong(address));
        for (int i = 1; i < words; i++) {
            hash = mix(hash, Memory.getLong(address + (long) i * Long.BYTES));
        }
        return hash;
    }

    /** Adds one more word to a hash. */
    public static long mix(long hash, long word) {
        long mixed = (Long.rotateLeft(hash, 29) ^ word) * C2;
        return mixed ^ mixed >>> 32;
    }

    /** Returns a number from 0 to {@code buckets} - 1, by the hash's high 32 bits. */
    public static int bucket(long hash, int buckets) {
        return (int) ((hash >>> 32) * buckets >>> 32);
    }
}
