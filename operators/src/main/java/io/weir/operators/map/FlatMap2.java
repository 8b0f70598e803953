package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of two words. */
public final class FlatMap2 extends FlatMap {
    FlatMap2(NativeAllocator allocator, long[] initialValue, long maxBytes) {
        super(allocator, 2, initialValue, maxBytes);
    }

    /** Address of the key's value words, inserted where absent; 0 at the bound. */
    public long find(long k0, long k1) {
        if ((k0 | k1) == 0) {
            return findZero();
        }
        long hash = Hash.of(k0, k1);
        long entry = slotAddress(hash);
        for (; ; ) {
            long key0 = Memory.getLong(entry);
            long key1 = Memory.getLong(entry + Long.BYTES);
            if (key0 == k0 && key1 == k1) {
                return found(entry);
            }
            if ((key0 | key1) == 0) {
                return insert(entry, hash, k0, k1);
            }
            entry = nextSlot(entry);
        }
    }

    @Override
    public long findAt(long keyAddress) {
        return find(Memory.getLong(keyAddress), Memory.getLong(keyAddress + Long.BYTES));
    }

    private long insert(long empty, long hash, long k0, long k1) {
        long before = table;
        if (!makeRoom()) {
            return 0;
        }
        long entry = before == table ? empty : emptySlot(hash);
        Memory.putLong(entry, k0);
        Memory.putLong(entry + Long.BYTES, k1);
        return insertedAt(entry);
    }

    @Override
    long emptySlotFor(long keyAddress) {
        return emptySlot(Hash.of(keyAddress, 2));
    }

    private long emptySlot(long hash) {
        long entry = slotAddress(hash);
        while (!isEmpty(entry)) {
            entry = nextSlot(entry);
        }
        return entry;
    }
}
