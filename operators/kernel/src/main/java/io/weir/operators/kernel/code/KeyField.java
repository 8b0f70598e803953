package io.weir.operators.kernel.code;

import io.weir.operators.graph.Kind;

/**
 * The place of one value in the words of a packed key. Bits are counted from the highest of the
 * first word. Immutable.
 *
 * @param nullAt the bit that is set when the value is NULL; {@link #NEVER_NULL}
 * @param at the value's first bit
 * @param bits of the value, the family's included
 * @param familyBits of an INET's family, at the front; 0 if the key's table has only one family
 */
public record KeyField(Kind kind, int nullAt, int at, int bits, int familyBits) {
    public static final int NEVER_NULL = -1;

    /** Returns the first bit, the NULL's included. */
    public int firstBit() {
        return nullAt == NEVER_NULL ? at : nullAt;
    }

    public boolean isNull(long[] words) {
        return nullAt != NEVER_NULL && get(words, nullAt, 1) != 0;
    }

    /** Reads up to 64 bits of a key. */
    public static long get(long[] words, int at, int count) {
        int word = at / Long.SIZE;
        int after = Long.SIZE - at % Long.SIZE - count;
        long bits =
                after >= 0
                        ? words[word] >>> after
                        : words[word] << -after | words[word + 1] >>> Long.SIZE + after;
        return bits & -1L >>> Long.SIZE - count;
    }

    /** Replaces up to 64 bits. */
    public static void put(long[] words, int at, int count, long bits) {
        int word = at / Long.SIZE;
        int after = Long.SIZE - at % Long.SIZE - count;
        long mask = -1L >>> Long.SIZE - count;
        if (after >= 0) {
            words[word] = words[word] & ~(mask << after) | (bits & mask) << after;
        } else {
            words[word] = words[word] & ~(mask >>> -after) | (bits & mask) >>> -after;
            int up = Long.SIZE + after;
            words[word + 1] = words[word + 1] & ~(mask << up) | (bits & mask) << up;
        }
    }
}
