package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** A {@link FlatMap} with keys of at most 32 bits, as longs. */
public final class FlatMapInt extends FlatMap {
    FlatMapInt(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots, maker);
    }

    private long home(long k0) {
        return k0 == 0 ? zeroHome() : homeAddress(Hash.spread(k0));
    }

    /** Returns -1 if the entry at the home of a batch's key is another's, otherwise 0. */
    public long away(long key) {
        return -((Memory.getInt(homeOf(key)) & 0xffff_ffffL) ^ Memory.getLong(key))
                >> Long.SIZE - 1;
    }

    @Override
    long claimHomes(Batch batch, int toKey, int count) {
        long made = batch.made();
        long entry = batch.start();
        for (int i = 0; i < count; i++, entry += batch.entryBytes()) {
            long key = entry + toKey;
            long home = homeOf(key);
            long there = Memory.getInt(home) & 0xffff_ffffL;
            long k0 = Memory.getLong(key);
            long empty = (there - 1 & -k0) >> Long.SIZE - 1;
            Memory.putInt(home, (int) (there | k0 & empty));
            Memory.putLong(made, entry);
            made += empty & Long.BYTES;
        }
        return made;
    }

    /**
     * Returns the value words of the entry at the home of a batch's key, which may be another's.
     */
    public long atHome(long key) {
        return homeOf(key) + Integer.BYTES;
    }

    /**
     * Returns the address of the value words of a batch's key; 0 at the bound. The map does not
     * move.
     */
    public long find(long key) {
        return findFrom(homeOf(key), Memory.getLong(key));
    }

    private long findFrom(long home, long k0) {
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
    public long findAlone(long k0) {
        long home = home(k0);
        boolean here = (Memory.getInt(home) & 0xffff_ffffL) == k0;
        return here ? home + keyBytes : findAway(k0);
    }

    private long findAway(long k0) {
        reserve(1);
        return findFrom(home(k0), k0);
    }

    @Override
    public long findAt(long keyAddress) {
        return findAway(Memory.getLong(keyAddress));
    }

    private long insert(long empty, long k0) {
        if (!hasRoom()) {
            return 0;
        }
        Memory.putInt(empty, (int) k0);
        return insertedAt(empty);
    }

    @Override
    void place(long entry) {
        long first = Memory.getLong(entry);
        Memory.putLong(entry, 0);
        long slot = home(first & 0xffff_ffffL);
        while (Memory.getInt(slot) != 0) {
            slot = nextSlot(slot);
        }
        Memory.putLong(slot, first);
        placeRest(entry, slot, Long.BYTES);
    }
}
