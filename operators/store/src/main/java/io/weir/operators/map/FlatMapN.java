package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** A {@link FlatMap} with keys of any number of words, passed by address. */
public final class FlatMapN extends FlatMap {
    FlatMapN(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots, maker);
    }

    private long home(long key) {
        return homeAddress(Hash.of(key, keyWords));
    }

    /**
     * Returns the address of the value words of a batch's key; 0 at the bound. The map does not
     * move.
     */
    public long find(long key) {
        return findFrom(homeOf(key), key);
    }

    private long findFrom(long home, long key) {
        if (isEmpty(key)) {
            return findZero();
        }
        long entry = home;
        while (!isKey(entry, key)) {
            if (isEmpty(entry)) {
                return insert(entry, key);
            }
            entry = nextSlot(entry);
        }
        return entry + keyBytes;
    }

    @Override
    public long findAt(long key) {
        reserve(1);
        return findFrom(home(key), key);
    }

    private boolean isKey(long entry, long key) {
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            if (Memory.getLong(entry + i) != Memory.getLong(key + i)) {
                return false;
            }
        }
        return true;
    }

    private long insert(long empty, long key) {
        if (!hasRoom()) {
            return 0;
        }
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            Memory.putLong(empty + i, Memory.getLong(key + i));
        }
        return insertedAt(empty);
    }

    @Override
    void place(long entry) {
        long slot = home(entry);
        while (slot != entry && !isEmpty(slot)) {
            slot = nextSlot(slot);
        }
        placeRest(entry, slot, 0);
    }
}
