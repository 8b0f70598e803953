package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of one word. */
public final class FlatMap1 extends FlatMap {
    FlatMap1(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
    }

    /** Where to look for these keys, which are loaded ahead of need; makes room for all. */
    public void seek(long[] k0, long[] homes, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            homes[i] = home(k0[i]);
        }
        load(homes, count);
    }

    private long home(long k0) {
        return slotAddress(Hash.spread(k0));
    }

    /** Address of the key's value words; 0 at the bound. The map does not move. */
    public long find(long home, long k0) {
        if (k0 == 0) {
            return findZero();
        }
        long entry = home;
        long key = Memory.getLong(entry);
        while (key != k0) {
            if (key == 0) {
                return insert(entry, k0);
            }
            entry = nextSlot(entry);
            key = Memory.getLong(entry);
        }
        return entry + keyBytes;
    }

    /** Seeks and finds one key. */
    public long find(long k0) {
        reserve(1);
        return find(home(k0), k0);
    }

    @Override
    public long findAt(long keyAddress) {
        return find(Memory.getLong(keyAddress));
    }

    private long insert(long empty, long k0) {
        if (!hasRoom()) {
            return 0;
        }
        Memory.putLong(empty, k0);
        return insertedAt(empty);
    }

    @Override
    long emptySlotFor(long entry) {
        long slot = home(Memory.getLong(entry));
        while (Memory.getLong(slot) != 0) {
            slot = nextSlot(slot);
        }
        return slot;
    }
}
