package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/** {@link FlatMap} with keys of any number of words, passed by address. */
public final class FlatMapN extends FlatMap {
    FlatMapN(NativeAllocator allocator, int keyWords, long[] initialValue, long maxBytes) {
        super(allocator, keyWords, initialValue, maxBytes);
    }

    /**
     * Address of the value words of the key at {@code keyAddress}, inserted where absent; 0 at the
     * bound. The key's memory is the caller's and is only read.
     */
    public long find(long keyAddress) {
        if (isEmpty(keyAddress)) {
            return findZero();
        }
        long hash = Hash.of(keyAddress, keyWords);
        long entry = slotAddress(hash);
        while (!sameKey(entry, keyAddress)) {
            if (isEmpty(entry)) {
                return insert(entry, hash, keyAddress);
            }
            entry = nextSlot(entry);
        }
        return found(entry);
    }

    @Override
    public long findAt(long keyAddress) {
        return find(keyAddress);
    }

    private boolean sameKey(long entry, long keyAddress) {
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            if (Memory.getLong(entry + i) != Memory.getLong(keyAddress + i)) {
                return false;
            }
        }
        return true;
    }

    private long insert(long empty, long hash, long keyAddress) {
        long before = table;
        if (!makeRoom()) {
            return 0;
        }
        long entry = before == table ? empty : emptySlot(hash);
        Memory.copy(keyAddress, entry, keyBytes);
        return insertedAt(entry);
    }

    @Override
    long emptySlotFor(long keyAddress) {
        return emptySlot(Hash.of(keyAddress, keyWords));
    }

    private long emptySlot(long hash) {
        long entry = slotAddress(hash);
        while (!isEmpty(entry)) {
            entry = nextSlot(entry);
        }
        return entry;
    }
}
