package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of any number of words: in a batch, a column for each word. */
public final class FlatMapN extends FlatMap {
    FlatMapN(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
    }

    /** Asks for the homes of a batch's keys up to this one, where that was not done. */
    public void ahead(long[][] columns, int first, int to) {
        if (asks()) {
            for (int i = asked(); i < to; i++) {
                home(i, home(columns, first, i));
            }
            ask(to);
        }
    }

    /**
     * Where to look for these keys, which are asked for ahead of need; makes room for all.
     *
     * @param first column of the key's words, which follow each other
     */
    public void seek(long[][] columns, int first, int count) {
        reserve(count);
        for (int i = asked(); i < count; i++) {
            home(i, home(columns, first, i));
        }
        fetch(count);
    }

    /**
     * Address of the value words of the {@code i}-th key; 0 at the bound. The map does not move.
     */
    public long find(long[][] columns, int first, int i) {
        return findFrom(home(i), columns, first, i);
    }

    private long findFrom(long home, long[][] columns, int first, int i) {
        long any = 0;
        for (int w = 0; w < keyWords; w++) {
            any |= columns[first + w][i];
        }
        if (any == 0) {
            return findZero();
        }
        long entry = home;
        while (!isKey(entry, columns, first, i)) {
            if (isEmpty(entry)) {
                return insert(entry, columns, first, i);
            }
            entry = nextSlot(entry);
        }
        return entry + keyBytes;
    }

    /** Seeks and finds one key of a batch. */
    public long findAlone(long[][] columns, int first, int i) {
        reserve(1);
        return findFrom(home(columns, first, i), columns, first, i);
    }

    private long home(long[][] columns, int first, int i) {
        long hash = Hash.of(columns[first][i]);
        for (int w = 1; w < keyWords; w++) {
            hash = Hash.mix(hash, columns[first + w][i]);
        }
        return slotAddress(hash);
    }

    private boolean isKey(long entry, long[][] columns, int first, int i) {
        for (int w = 0; w < keyWords; w++) {
            if (Memory.getLong(entry + (long) w * Long.BYTES) != columns[first + w][i]) {
                return false;
            }
        }
        return true;
    }

    private long insert(long empty, long[][] columns, int first, int i) {
        if (!hasRoom()) {
            return 0;
        }
        for (int w = 0; w < keyWords; w++) {
            Memory.putLong(empty + (long) w * Long.BYTES, columns[first + w][i]);
        }
        return insertedAt(empty);
    }

    @Override
    public long findAt(long keyAddress) {
        reserve(1);
        if (isEmpty(keyAddress)) {
            return findZero();
        }
        long entry = slotAddress(Hash.of(keyAddress, keyWords));
        while (!sameKey(entry, keyAddress)) {
            if (isEmpty(entry)) {
                return insert(entry, keyAddress);
            }
            entry = nextSlot(entry);
        }
        return entry + keyBytes;
    }

    private boolean sameKey(long entry, long keyAddress) {
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            if (Memory.getLong(entry + i) != Memory.getLong(keyAddress + i)) {
                return false;
            }
        }
        return true;
    }

    private long insert(long empty, long keyAddress) {
        if (!hasRoom()) {
            return 0;
        }
        Memory.copy(keyAddress, empty, keyBytes);
        return insertedAt(empty);
    }

    @Override
    long emptySlotFor(long entry) {
        long slot = slotAddress(Hash.of(entry, keyWords));
        while (!isEmpty(slot)) {
            slot = nextSlot(slot);
        }
        return slot;
    }
}
