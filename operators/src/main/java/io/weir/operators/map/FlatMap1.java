package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of one word. */
public final class FlatMap1 extends FlatMap {
    FlatMap1(NativeAllocator allocator, long[] initialValue, long maxBytes) {
        super(allocator, 1, initialValue, maxBytes);
    }

    /** Address of the key's value words, inserted where absent; 0 at the bound. */
    public long find(long k0) {
        if (k0 == 0) {
            return findZero();
        }
        long hash = Hash.of(k0);
        long entry = slotAddress(hash);
        long key = Memory.getLong(entry);
        while (key != k0) {
            if (key == 0) {
                return insert(entry, hash, k0);
            }
            entry = nextSlot(entry);
            key = Memory.getLong(entry);
        }
        return found(entry);
    }

    @Override
    public long findAt(long keyAddress) {
        return find(Memory.getLong(keyAddress));
    }

    private long insert(long empty, long hash, long k0) {
        long before = table;
        if (!makeRoom()) {
            return 0;
        }
        long entry = before == table ? empty : emptySlot(hash);
        Memory.putLong(entry, k0);
        return insertedAt(entry);
    }

    @Override
    long emptySlotFor(long keyAddress) {
        return emptySlot(Hash.of(Memory.getLong(keyAddress)));
    }

    private long emptySlot(long hash) {
        long entry = slotAddress(hash);
        while (Memory.getLong(entry) != 0) {
            entry = nextSlot(entry);
        }
        return entry;
    }
}
