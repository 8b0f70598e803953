package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.Prefetch;

/** {@link FlatMap} with keys of at most 32 bits, as longs. */
public final class FlatMapInt extends FlatMap {
    FlatMapInt(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
    }

    /** Asks for the homes of a batch's keys up to this one, where that was not done. */
    public void ahead(long[] k0, int to) {
        if (!asks()) {
            return;
        }
        for (int from = asked(); from < to; from = asked()) {
            int some = Math.min(Prefetch.ADDRESSES, to - from);
            long addresses = addresses();
            for (int i = 0; i < some; i++) {
                Memory.putLong(addresses + (long) i * Long.BYTES, home(k0[from + i]));
            }
            ask(some);
        }
    }

    /** Where to look for these keys, which are asked for ahead of need; makes room for all. */
    public void seek(long[] k0, long[] homes, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            homes[i] = home(k0[i]);
        }
        fetch(homes, count);
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
        long key = Memory.getInt(entry) & 0xffff_ffffL;
        while (key != k0) {
            if (key == 0) {
                return insert(entry, k0);
            }
            entry = nextSlot(entry);
            key = Memory.getInt(entry) & 0xffff_ffffL;
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
        Memory.putInt(empty, (int) k0);
        return insertedAt(empty);
    }

    @Override
    long emptySlotFor(long entry) {
        long slot = home(Memory.getInt(entry) & 0xffff_ffffL);
        while (Memory.getInt(slot) != 0) {
            slot = nextSlot(slot);
        }
        return slot;
    }
}
