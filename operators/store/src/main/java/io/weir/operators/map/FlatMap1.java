package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** A {@link FlatMap} with keys of one word. */
public final class FlatMap1 extends FlatMap {
    FlatMap1(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots, maker);
    }

    private long home(long k0) {
        return k0 == 0 ? zeroHome() : homeAddress(Hash.spread(k0));
    }

    /** Returns -1 if the entry at the home of a batch's key is another's, otherwise 0. */
    public long away(long key) {
        long other = Memory.getLong(homeOf(key)) ^ Memory.getLong(key);
        return (other | -other) >> Long.SIZE - 1;
    }

    @Override
    long claimHomes(Batch batch, int toKey, int count) {
        long made = batch.made();
        long entry = batch.start();
        for (int i = 0; i < count; i++, entry += batch.entryBytes()) {
            long key = entry + toKey;
            long home = homeOf(key);
            long there = Memory.getLong(home);
            long k0 = Memory.getLong(key);
            long empty = (~(there | -there) & (k0 | -k0)) >> Long.SIZE - 1;
            Memory.putLong(home, there | k0 & empty);
            Memory.putLong(made, entry);
            made += empty & Long.BYTES;
        }
        return made;
    }

    /**
     * Returns the value words of the entry at the home of a batch's key, which may be another's.
     */
    public long atHome(long key) {
        return homeOf(key) + Long.BYTES;
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
        long home = home(k0);
        return Memory.getLong(home) == k0 ? home + keyBytes : findAway(k0);
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
        Memory.putLong(empty, k0);
        return insertedAt(empty);
    }

    @Override
    void place(long entry) {
        long k0 = Memory.getLong(entry);
        Memory.putLong(entry, 0);
        long slot = home(k0);
        while (Memory.getLong(slot) != 0) {
            slot = nextSlot(slot);
        }
        Memory.putLong(slot, k0);
        placeRest(entry, slot, Long.BYTES);
    }
}
