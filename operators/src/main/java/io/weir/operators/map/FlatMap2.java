package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.Prefetch;

/** {@link FlatMap} with keys of two words. */
public final class FlatMap2 extends FlatMap {
    FlatMap2(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
    }

    /** Asks for the homes of a batch's keys up to this one, where that was not done. */
    public void ahead(long[] k0, long[] k1, int to) {
        if (!asks()) {
            return;
        }
        for (int from = asked(); from < to; from = asked()) {
            int some = Math.min(Prefetch.ADDRESSES, to - from);
            long addresses = addresses();
            for (int i = 0; i < some; i++) {
                Memory.putLong(addresses + (long) i * Long.BYTES, home(k0[from + i], k1[from + i]));
            }
            ask(some);
        }
    }

    /** Where to look for these keys, which are asked for ahead of need; makes room for all. */
    public void seek(long[] k0, long[] k1, long[] homes, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            homes[i] = home(k0[i], k1[i]);
        }
        fetch(homes, count);
    }

    private long home(long k0, long k1) {
        return slotAddress(Hash.of(k0, k1));
    }

    /** Address of the key's value words; 0 at the bound. The map does not move. */
    public long find(long home, long k0, long k1) {
        if ((k0 | k1) == 0) {
            return findZero();
        }
        long entry = home;
        for (; ; ) {
            long key0 = Memory.getLong(entry);
            long key1 = Memory.getLong(entry + Long.BYTES);
            if (key0 == k0 && key1 == k1) {
                return entry + keyBytes;
            }
            if ((key0 | key1) == 0) {
                return insert(entry, k0, k1);
            }
            entry = nextSlot(entry);
        }
    }

    /** Seeks and finds one key. */
    public long find(long k0, long k1) {
        reserve(1);
        return find(home(k0, k1), k0, k1);
    }

    @Override
    public long findAt(long keyAddress) {
        return find(Memory.getLong(keyAddress), Memory.getLong(keyAddress + Long.BYTES));
    }

    private long insert(long empty, long k0, long k1) {
        if (!hasRoom()) {
            return 0;
        }
        Memory.putLong(empty, k0);
        Memory.putLong(empty + Long.BYTES, k1);
        return insertedAt(empty);
    }

    @Override
    long emptySlotFor(long entry) {
        long slot = home(Memory.getLong(entry), Memory.getLong(entry + Long.BYTES));
        while (!isEmpty(slot)) {
            slot = nextSlot(slot);
        }
        return slot;
    }
}
