package io.weir.operators.map;

import io.weir.operators.memory.Memory;

/** A word of each group, in maps of whole words: what others lack and it does not. */
public final class Credits {
    private Credits() {}

    /** Adds to the credit of all that are there. */
    public static void add(FlatMap groups, int creditWord, long more) {
        if (more == 0) {
            return;
        }
        for (long entry = groups.firstEntry(); entry != 0; entry = groups.nextEntry(entry)) {
            long at = entry + groups.keyBytes() + (long) creditWord * Long.BYTES;
            Memory.putLong(at, Memory.getLong(at) + more);
        }
    }
}
