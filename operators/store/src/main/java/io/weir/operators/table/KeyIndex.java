package io.weir.operators.table;

import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * Finds rows by equal keys. A slot has 32 bits of the key's hash and the row's number, so that few
 * rows are read in vain. It is at most half full. Once it is made, any thread reads it.
 */
final class KeyIndex implements AutoCloseable {
    private static final long ROW = 0xFFFF_FFFFL;

    private final NativeAllocator allocator;
    private final TableRows rows;
    private final int[] wordsOfKey;
    private final long address;
    private final long mask;

    /**
     * @param wordsOfKey the places of the key's words in a row
     * @param rows may grow no more
     */
    KeyIndex(NativeAllocator allocator, TableRows rows, int[] wordsOfKey) {
        this.allocator = allocator;
        this.rows = rows;
        this.wordsOfKey = wordsOfKey.clone();
        mask = Long.highestOneBit(Math.max(8, 2L * rows.rows())) * 2 - 1;
        address = allocator.allocate(bytes(), MemoryTag.TABLE);
    }

    long bytes() {
        return (mask + 1) * Long.BYTES;
    }

    /**
     * Adds a row.
     *
     * @param row from 0 up
     * @return the row with an equal key that is there; -1 if there is none
     */
    int put(int row) {
        long at = rows.address(row);
        long hash = Hash.of(word(at, 0));
        for (int w = 1; w < wordsOfKey.length; w++) {
            hash = Hash.mix(hash, word(at, w));
        }
        long slot = hash & mask;
        for (long found = slot(slot); found != 0; found = slot(slot)) {
            if (found >>> 32 == hash >>> 32 && isEqual(row(found), at)) {
                return (int) (found & ROW) - 1;
            }
            slot = slot + 1 & mask;
        }
        Memory.putLong(address + slot * Long.BYTES, hash >>> 32 << 32 | row + 1L);
        return -1;
    }

    private boolean isEqual(long row, long other) {
        for (int w = 0; w < wordsOfKey.length; w++) {
            if (word(row, w) != word(other, w)) {
                return false;
            }
        }
        return true;
    }

    private long word(long row, int word) {
        return Memory.getLong(row + (long) wordsOfKey[word] * Long.BYTES);
    }

    private long slot(long slot) {
        return Memory.getLong(address + slot * Long.BYTES);
    }

    private long row(long found) {
        return rows.address((found & ROW) - 1);
    }

    /** Returns the address of the row with this key; 0 if there is none. */
    long find(long hash, long[] key) {
        long slot = hash & mask;
        for (long found = slot(slot); found != 0; found = slot(slot)) {
            if (found >>> 32 == hash >>> 32) {
                long row = row(found);
                if (isKey(row, key)) {
                    return row;
                }
            }
            slot = slot + 1 & mask;
        }
        return 0;
    }

    private boolean isKey(long row, long[] key) {
        for (int w = 0; w < wordsOfKey.length; w++) {
            if (word(row, w) != key[w]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        allocator.free(address, bytes(), MemoryTag.TABLE);
    }
}
