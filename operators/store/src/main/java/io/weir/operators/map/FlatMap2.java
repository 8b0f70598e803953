package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** A {@link FlatMap} with keys of two words. */
public final class FlatMap2 extends FlatMap {
    FlatMap2(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots, maker);
    }

    private long home(long k0, long k1) {
        return (k0 | k1) == 0 ? zeroHome() : homeAddress(Hash.of(k0, k1));
    }

    /** Returns -1 if the entry at the home of a batch's key is another's, otherwise 0. */
    public long away(long key) {
        long home = homeOf(key);
        long other =
                Memory.getLong(home) ^ Memory.getLong(key)
                        | Memory.getLong(home + Long.BYTES) ^ Memory.getLong(key + Long.BYTES);
        return (other | -other) >> Long.SIZE - 1;
    }

    @Override
    long claimHomes(Batch batch, int toKey, int count) {
        long made = batch.made();
        long entry = batch.start();
        for (int i = 0; i < count; i++, entry += batch.entryBytes()) {
            long key = entry + toKey;
            long home = homeOf(key);
            long there0 = Memory.getLong(home);
            long there1 = Memory.getLong(home + Long.BYTES);
            long k0 = Memory.getLong(key);
            long k1 = Memory.getLong(key + Long.BYTES);
            long there = there0 | there1;
            long any = k0 | k1;
            long empty = (~(there | -there) & (any | -any)) >> Long.SIZE - 1;
            Memory.putLong(home, there0 | k0 & empty);
            Memory.putLong(home + Long.BYTES, there1 | k1 & empty);
            Memory.putLong(made, entry);
            made += empty & Long.BYTES;
        }
        return made;
    }

    /**
     * Returns the value words of the entry at the home of a batch's key, which may be another's.
     */
    public long atHome(long key) {
        return homeOf(key) + 2 * Long.BYTES;
    }

    /**
     * Returns the address of the value words of a batch's key; 0 at the bound. The map does not
     * move.
     */
    public long find(long key) {
        return findFrom(homeOf(key), Memory.getLong(key), Memory.getLong(key + Long.BYTES));
    }

    private long findFrom(long home, long k0, long k1) {
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
    public long findAlone(long k0, long k1) {
        long home = home(k0, k1);
        boolean here = Memory.getLong(home) == k0 && Memory.getLong(home + Long.BYTES) == k1;
        return here ? home + keyBytes : findAway(k0, k1);
    }

    private long findAway(long k0, long k1) {
        reserve(1);
        return findFrom(home(k0, k1), k0, k1);
    }

    @Override
    public long findAt(long keyAddress) {
        return findAway(Memory.getLong(keyAddress), Memory.getLong(keyAddress + Long.BYTES));
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
    void place(long entry) {
        long k0 = Memory.getLong(entry);
        long k1 = Memory.getLong(entry + Long.BYTES);
        Memory.putLong(entry, 0);
        Memory.putLong(entry + Long.BYTES, 0);
        long slot = home(k0, k1);
        while ((Memory.getLong(slot) | Memory.getLong(slot + Long.BYTES)) != 0) {
            slot = nextSlot(slot);
        }
        Memory.putLong(slot, k0);
        Memory.putLong(slot + Long.BYTES, k1);
        placeRest(entry, slot, 2 * Long.BYTES);
    }
}
