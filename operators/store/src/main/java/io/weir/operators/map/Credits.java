package io.weir.operators.map;

import io.weir.operators.memory.Memory;

/**
 * Changes the credit word of each group, in maps of whole words. The credit is the part of the
 * left-out weight that the group did not miss.
 */
public final class Credits {
    private Credits() {}

    /** Adds to the credit of all existing groups. */
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
