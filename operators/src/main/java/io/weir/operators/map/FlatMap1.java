package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of one word. */
public final class FlatMap1 extends FlatMap {
    FlatMap1(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
    }

    /** Asks for the homes of a batch's keys up to this one, where that was not done. */
    public void ahead(long[] k0, int to) {
        if (asks()) {
            for (int i = asked(); i < to; i++) {
                home(i, home(k0[i]));
            }
            ask(to);
        }
    }

    /** Where to look for these keys, which are asked for ahead of need; makes room for all. */
    public void seek(long[] k0, int count) {
        reserve(count);
        for (int i = asked(); i < count; i++) {
            home(i, home(k0[i]));
        }
        fetch(count);
    }

    private long home(long k0) {
        return k0 == 0 ? nobody() : slotAddress(Hash.spread(k0));
    }

    /** -1 where the entry at the i-th key's home is not its own, else 0. */
    public long away(int i, long k0) {
        long other = Memory.getLong(home(i)) ^ k0;
        return (other | -other) >> Long.SIZE - 1;
    }

    /** Address of the i-th key's value words; 0 at the bound. The map does not move. */
    public long find(int i, long k0) {
        return findFrom(home(i), k0);
    }

    private long findFrom(long home, long k0) {
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
    public long findAlone(long k0) {
        reserve(1);
        return findFrom(home(k0), k0);
    }

    @Override
    public long findAt(long keyAddress) {
        return findAlone(Memory.getLong(keyAddress));
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
