package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.Prefetch;

/**
 * The homes of a batch's keys in a {@link FlatMap}: worked out and asked for ahead of need. Public,
 * as kernels call it.
 */
public abstract sealed class Homes extends Slots permits FlatMap {
    /** A table of so many bytes is in a cache near enough. */
    private static final int NEAR_BYTES = 256 << 10;

    protected final int keyWords;

    /** What loads of homes have read, so that they are not left out as useless. */
    long touched;

    /** How many of the batch's homes are known, and have been asked for. */
    private int asked;

    private boolean inserted;

    Homes(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
        keyWords = layout.keyWords();
    }

    /**
     * Asks for the homes of a batch's keys up to this one, where that was not done; and with them
     * for {@link Prefetch#lines}, whose result is returned.
     */
    public final long ahead(Batch batch, int key, int to, long near, long next) {
        if (!asks()) {
            return Prefetch.lines(near, next);
        }
        know(batch, key, to, near, next);
        return next;
    }

    /**
     * Where to look for a batch's keys, which are asked for ahead of need; makes room for all.
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
     * Works out the homes of a batch's keys that are not known yet, up to this one, and asks for
     * them, or loads them, where they are far.
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
     * Tells a {@link GatherCall} of this table, as one of those whose keys it reads, up to this
     * entry having been read.
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

    /** Says that the homes of all keys up to this entry are known: a call has found them. */
    public final void knows(Batch batch, long entry) {
        asked = (int) (entry - batch.start()) / batch.entryBytes();
    }

    /** The home of the key at an address, as C works it out too. */
    final long homeOfKeyAt(long key) {
        long hash = keyWords == 1 ? Hash.spread(Memory.getLong(key)) : Hash.of(key, keyWords);
        return isEmpty(key) ? zeroHome() : homeAddress(hash);
    }

    /** Whether to ask for homes while keys are collected. */
    private boolean asks() {
        return Prefetch.NATIVE && tableBytes() > NEAR_BYTES;
    }

    /** The home of a key in a batch. */
    protected static long homeOf(long key) {
        return Memory.getLong(key - Long.BYTES);
    }

    /**
     * The value words of the entry at a key's home.
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
            // Homes that are known already are others now.
            asked = 0;
        }
    }

    /** Whether a find has made a new entry since the last seek, or since this was last asked. */
    public final boolean inserted() {
        boolean made = inserted;
        inserted = false;
        return made;
    }

    final void madeEntry() {
        inserted = true;
    }
}
