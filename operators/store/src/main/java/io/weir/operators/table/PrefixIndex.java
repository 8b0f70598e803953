package io.weir.operators.table;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/**
 * Finds the row with the longest prefix of an address. IPv4 prefixes of up to 24 bits are in a trie
 * of two levels, which is one or two loads. Longer ones, and all of IPv6, are hashed by length.
 * Once it is made, any thread reads it.
 */
final class PrefixIndex implements AutoCloseable {
    private static final int TRIE_BITS = PrefixTrie.MOST_BITS;

    private final TableRows rows;
    private final int network;
    private final PrefixTrie trie;
    private final PrefixHash longer;
    private final PrefixHash six;

    /**
     * @param network the word of a row in which its network begins; its length follows the network
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    PrefixIndex(NativeAllocator allocator, TableRows rows, int network, int length) {
        this.rows = rows;
        this.network = network;
        PrefixHash.Prefixes ofTrie = new PrefixHash.Prefixes();
        PrefixHash.Prefixes ofLonger = new PrefixHash.Prefixes();
        PrefixHash.Prefixes ofSix = new PrefixHash.Prefixes();
        for (int r = 0; r < rows.rows(); r++) {
            long row = rows.address(r);
            int bits = (int) Memory.getLong(row + (long) length * Long.BYTES);
            if (word(row, 0) == 6) {
                ofSix.add(word(row, 1), word(row, 2), bits, r + 1);
            } else {
                (bits > TRIE_BITS ? ofLonger : ofTrie).add(word(row, 2) << 32, 0, bits, r + 1);
            }
        }
        trie = new PrefixTrie(allocator, ofTrie, ofLonger);
        PrefixHash madeLonger = null;
        try {
            madeLonger = new PrefixHash(allocator, ofLonger);
            six = new PrefixHash(allocator, ofSix);
            longer = madeLonger;
        } catch (WeirException noMemory) {
            trie.close();
            if (madeLonger != null) {
                madeLonger.close();
            }
            throw noMemory;
        }
    }

    private long word(long row, int word) {
        return Memory.getLong(row + (long) (network + word) * Long.BYTES);
    }

    long bytes() {
        return trie.bytes() + longer.bytes() + six.bytes();
    }

    /** Returns the address of the row for an address; 0 if there is none. */
    long find(long family, long high, long low) {
        int row;
        if (family == 4) {
            row = trie.find(low);
            if (PrefixTrie.hasLonger(row)) {
                row = longer.find(low << 32, 0, PrefixTrie.row(row));
            }
        } else {
            row = six.find(high, low, 0);
        }
        return row == 0 ? 0 : rows.address(row - 1L);
    }

    @Override
    public void close() {
        trie.close();
        longer.close();
        six.close();
    }
}
