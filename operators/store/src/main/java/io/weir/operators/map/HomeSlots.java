package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.Prefetch;

/**
 * The home slots of a batch's keys in a {@link FlatMap}. It computes and prefetches them ahead of
 * need. It is public because kernels call it.
 */
public abstract class HomeSlots extends SlotTable {
    /** A table of up to so many bytes is in a near enough cache. */
    private static final int NEAR_BYTES = 256 << 10;

    protected final int keyWords;

    /**
     * Keeps the results of loads of homes, so that HotSpot does not remove the loads as useless.
     */
    long touched;

    /** The number of the batch's homes that are known and were prefetched. */
    private int asked;

    private boolean inserted;

    HomeSlots(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
        keyWords = layout.keyWords();
    }

    /**
     * Prefetches the homes of a batch's keys up to this one. It calls {@link Prefetch#lines} too
     * and returns its result.
     */
    public final long ahead(Batch batch, int key, int to, long near, long next) {
        if (!asks()) {
            return Prefetch.lines(near, next);
        }
        know(batch, key, to, near, next);
        return next;
    }

    /**
     * Computes the homes of a batch's keys, prefetches them, and makes room for all.
     *
     * @param key bytes from an entry of the batch to its key
     */
    public final void seek(Batch batch, int key, int count) {
        reserve(count);
        if (asked < count) {
            know(batch, key, count, 0, 0);
        }
        asked = 0;
        for (long word = scratch(); word < nobody(); word += Long.BYTES) {
            Memory.putLong(word, 0);
        }
    }

    /**
     * Computes the unknown homes of a batch's keys up to this one. If they are far, it prefetches
     * or loads them.
     */
    private void know(Batch batch, int key, int to, long near, long next) {
        int step = batch.entryBytes();
        long first = batch.start() + (long) asked * step + key;
        int count = to - asked;
        asked = to;
        if (Prefetch.NATIVE) {
            int lines = asks() ? Prefetch.lines(stride) : 0;
            Prefetch.homes(
                    first,
                    step,
                    count,
                    keyWords,
                    table,
                    slots(),
                    stride,
                    zeroHome(),
                    oldSlots(),
                    unsplit(),
                    lines,
                    near,
                    next);
            return;
        }
        long seen = 0;
        for (long at = first; at < first + (long) count * step; at += step) {
            Memory.putLong(at - Long.BYTES, homeOfKeyAt(at));
        }
        for (long at = first; at < first + (long) count * step; at += step) {
            seen ^= Memory.getInt(homeOf(at));
        }
        touched = seen;
    }

    /**
     * Describes this table to a {@link GatherCall}, as one whose keys the call reads. Entries
     * before this one have been read.
     *
     * @param number of the table in the call
     * @param key bytes from an entry of the batch to its key
     */
    public final void describe(Batch batch, int number, int key, long entry) {
        int to = (int) (entry - batch.start()) / batch.entryBytes();
        if (asked < to) {
            know(batch, key, to, 0, 0);
        }
        long at = tableOf(batch, number);
        Memory.putLong(at, table);
        Memory.putLong(at + 8, slots());
        Memory.putLong(at + 16, stride);
        Memory.putLong(at + 24, key);
        Memory.putLong(at + 32, keyWords);
        Memory.putLong(at + 40, oldSlots());
        Memory.putLong(at + 48, unsplit());
        Memory.putLong(at + GatherCall.ZERO, slots() + (hasZeroKey() ? 0 : NOBODY));
        Memory.putLong(at + 64, keyBytes);
        Memory.putLong(batch.call() + GatherCall.TABLES, number + 1);
    }

    static long tableOf(Batch batch, int number) {
        return batch.call() + GatherCall.TABLE + (long) number * GatherCall.TABLE_BYTES;
    }

    /** Notes that a call has found the homes of all keys up to this entry. */
    public final void knows(Batch batch, long entry) {
        asked = (int) (entry - batch.start()) / batch.entryBytes();
    }

    /** Returns the home of the key at an address; C computes the same. */
    final long homeOfKeyAt(long key) {
        long hash = keyWords == 1 ? Hash.spread(Memory.getLong(key)) : Hash.of(key, keyWords);
        return isEmpty(key) ? zeroHome() : homeAddress(hash);
    }

    /** Returns whether to prefetch homes while keys are collected. */
    private boolean asks() {
        return Prefetch.NATIVE && tableBytes() > NEAR_BYTES;
    }

    /** Returns the home of a key in a batch. */
    protected static long homeOf(long key) {
        return Memory.getLong(key - Long.BYTES);
    }

    /**
     * Returns the value words of the entry at a key's home.
     *
     * @param away -1 for those of scratch instead, which may be written too
     */
    public final long slot(long key, long away) {
        long home = homeOf(key);
        return (home ^ (home ^ scratch()) & away) + keyBytes;
    }

    /** Makes room for so many more entries, within the bound. */
    protected final void reserve(int more) {
        inserted = false;
        if (makeRoomFor(more)) {
            // The known homes have changed.
            asked = 0;
        }
    }

    /** Returns whether a find has made a new entry since the last seek or the last call of this. */
    public final boolean inserted() {
        boolean made = inserted;
        inserted = false;
        return made;
    }

    final void madeEntry() {
        inserted = true;
    }
}
