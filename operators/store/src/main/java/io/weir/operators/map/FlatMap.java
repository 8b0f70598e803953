package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/**
 * A hash map in one piece of native memory: open addressing, linear probing, entries inline. The
 * number of slots is a power of two and grows as it fills.
 *
 * <pre>
 *   slot 0 … slots-1    key, value words ({@link EntryLayout}); an all-zero key marks an empty slot
 *   the next one        the entry of the all-zero key itself
 *   one more            scratch: for entries on their way, and updates that are nobody's
 *   one more            nobody's: a key of ones, at which the all-zero key is said to be at home
 *                         as long as it has no entry
 * </pre>
 *
 * One thread at a time. {@link #remove} takes an entry out and is for rare cases: it moves others.
 * Subclasses are specialised by key width, so that keys are passed in registers: {@link
 * FlatMapInt}, {@link FlatMap1}, {@link FlatMap2}, {@link FlatMapN}; and {@link FlatMapDirect}.
 * {@link FlatMaps} chooses one.
 *
 * <p>Kernels look keys up in batches ({@link Batch}), so that the cache misses of a batch overlap.
 * While they collect keys, {@code ahead} prefetches the <em>home</em> slots of the last ones: the
 * slots where their probes begin. Then {@code seek} makes room for all keys and prefetches the
 * other homes. If prefetching is not possible, seek loads the homes; loads without other work
 * between them have the most misses under way. {@link #claim} may then make entries for new keys in
 * one pass.
 *
 * <p>Then each key of the batch is taken by its address. {@code find} returns the address of the
 * entry's value words, and makes a missing entry with the initial value. It returns 0 when the map
 * has reached its bound; the caller counts that. A kernel may avoid the branch instead, as follows.
 * Then {@code away} computes whether the entry at home belongs to another key. {@code atHome} then
 * serves updates that add nothing in that case. {@link #slot} then returns scratch. A later find
 * takes the keys that are away. Most keys are at home, but the CPU cannot predict which. The map
 * does not move until the next seek.
 *
 * <p>All other code calls {@code findAlone(key)}, which also seeks: addresses hold until the next
 * one.
 */
public abstract class FlatMap extends HomeSlots implements AutoCloseable {
    /** Keys claim homes if at least this fraction of a batch was new. */
    private static final int NEW_PART = 8;

    private final EntryLayout layout;
    private final long[] initialValue;
    private final int[] offsets;
    private final boolean[] narrow;
    private final boolean startsAtZero;

    private final Carries carries;
    private final Maker maker;

    /** The numbers of entries and keys at the last claim. */
    private int sizeBefore;

    private int countBefore;

    /** Makes an empty map of any layout. */
    interface Maker {
        /**
         * @throws WeirException OUT_OF_NATIVE_MEMORY
         */
        FlatMap make(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots);
    }

    /**
     * @param maker of its settled copy, and of the map of its carries
     */
    FlatMap(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots, Maker maker) {
        super(allocator, layout, maxBytes, slots);
        this.layout = layout;
        this.maker = maker;
        carries = new Carries(layout, maker);
        this.initialValue = layout.initialValue().stream().mapToLong(Long::longValue).toArray();
        this.startsAtZero = layout.startsAtZero();
        this.offsets = new int[initialValue.length];
        this.narrow = new boolean[initialValue.length];
        for (int w = 0; w < offsets.length; w++) {
            offsets[w] = layout.offset(w);
            narrow[w] = layout.isNarrow(w);
        }
    }

    /**
     * Makes entries at empty homes, once a batch's homes are known, if many keys were new recently.
     * It has no branch on whether a key is new, which the CPU cannot predict. For a batch whose
     * keys shall all have entries. Not for the all-zero key.
     *
     * @return the end of a list of those made, which begins at {@link Batch#made}
     */
    public final long claim(Batch batch, int key, int count) {
        isFilling((long) (size - sizeBefore) * NEW_PART >= countBefore);
        sizeBefore = size;
        countBefore = count;
        if (!isFilling() || !startsAtZero || (long) size + count > fullAt()) {
            return batch.made();
        }
        long end = claimHomes(batch, key, count);
        size += (int) (end - batch.made()) / Long.BYTES;
        return end;
    }

    /** Makes the entries of a claim, and lists them. It makes none if keys are wide. */
    long claimHomes(Batch batch, int toKey, int count) {
        return batch.made();
    }

    /**
     * Describes this table to a {@link GatherCall} as {@link #describe} does, and lets the call
     * make entries. It makes room for them first, if possible. {@link #accept} must follow.
     *
     * @param more entries that need room
     */
    public final void offer(Batch batch, int number, int key, long entry, int more) {
        reserve(more);
        describe(batch, number, key, entry);
        long at = tableOf(batch, number);
        Memory.putLong(at + GatherCall.ROOM, room());
        Memory.putLong(at + GatherCall.CLAIMS, isFilling() ? 1 : 0);
        Memory.putLong(at + GatherCall.INSERTED, 0);
    }

    /** Counts the entries that a call has made. The batch entries from this one on are left. */
    public final void accept(Batch batch, int number, long entry) {
        long at = tableOf(batch, number);
        int inserted = (int) Memory.getLong(at + GatherCall.INSERTED);
        size += inserted;
        sizeBefore += inserted;
        hasZeroKey(Memory.getLong(at + GatherCall.ZERO) == slots());
        isFilling(Memory.getLong(at + GatherCall.CLAIMS) != 0);
        knows(batch, entry);
    }

    /** Does {@code find} for the key whose words lie at an address. */
    public abstract long findAt(long keyAddress);

    /**
     * Takes an entry out again. Other addresses are then void.
     *
     * @param value address of its value words
     */
    public final void remove(long value) {
        long hole = value - keyBytes;
        size--;
        Memory.zero(hole, stride);
        if (hole == end()) {
            hasZeroKey(false);
            return;
        }
        // Entries behind it, up to the next gap, may have been pushed there by it.
        for (long entry = nextSlot(hole); !isEmpty(entry); entry = nextSlot(entry)) {
            place(entry);
        }
    }

    /** Reduces the count by so many entries, whose slots are zero. */
    final void fewer(int entries) {
        size -= entries;
    }

    /** Returns the entry of the all-zero key; 0 if there is none. */
    final long zeroEntry() {
        return hasZeroKey() ? end() : 0;
    }

    public int size() {
        return size;
    }

    /**
     * Returns whether there is room for so many more entries. It grows the table if there is memory
     * now.
     */
    public final boolean makeRoom(int more) {
        if (lacksRoom(more)) {
            retryGrowth();
            reserve(more);
        }
        return (long) size + more <= fullAt();
    }

    /** Returns the bytes of native memory. */
    public long bytes() {
        return tableBytes() + carries.bytes();
    }

    /** Returns the bytes from an entry's address to its value words. */
    public final int keyBytes() {
        return keyBytes;
    }

    public final int valueWords() {
        return initialValue.length;
    }

    /** Returns the address of the first entry's key words, in no particular order; 0 when empty. */
    public final long firstEntry() {
        return entryFrom(0);
    }

    /** Returns the entry after this one; 0 after the last. */
    public final long nextEntry(long entry) {
        return entryFrom((entry - table) / stride + 1);
    }

    private long entryFrom(long slot) {
        long address = table + slot * stride;
        long end = end();
        for (; address < end; address += stride) {
            if (!isEmpty(address)) {
                return address;
            }
        }
        return hasZeroKey() && address == end ? address : 0;
    }

    /**
     * Subtracts 2^31 from counts of four bytes that have reached it, and records the difference
     * beside them. It must run after the batch in which a count got there, because no batch adds as
     * much.
     *
     * @return how many were lost, because there was no memory to record them
     */
    public final long carry() {
        long lost = 0;
        for (long entry = firstEntry(); entry != 0; entry = nextEntry(entry)) {
            long value = entry + keyBytes;
            for (int w = 0; w < narrow.length; w++) {
                long at = value + offsets[w];
                if (layout.isCount(w) && Memory.getInt(at) < 0) {
                    Memory.putInt(at, Memory.getInt(at) & Integer.MAX_VALUE);
                    lost += carries.add(allocator(), settledKey(entry), w);
                }
            }
        }
        return lost;
    }

    /** Returns the address of whole words of the key of an entry. */
    private long settledKey(long entry) {
        if (keyBytes != Integer.BYTES) {
            return entry;
        }
        // The map is being filled, so nothing else lies in scratch.
        Memory.putLong(scratch(), Memory.getInt(entry) & 0xffff_ffffL);
        return scratch();
    }

    /**
     * Returns this map with whole words, in memory of that allocator; itself if it has whole words.
     * It is null when there is no memory. This map does not change.
     */
    public final FlatMap settledCopy(NativeAllocator memory) {
        if (layout.isSettled()) {
            return this;
        }
        finishSplit();
        FlatMap into;
        try {
            into = emptySettled(memory);
        } catch (WeirException noMemory) {
            return null;
        }
        settleInto(into);
        return into;
    }

    /** Makes an empty map for entries of whole words. */
    FlatMap emptySettled(NativeAllocator memory) {
        return maker.make(memory, layout.toSettled(), maxBytes(), slots());
    }

    /** Copies all entries to another map. */
    void settleInto(FlatMap into) {
        long to = into.table;
        long end = end();
        // Slot by slot: the hash, and so the place, is the same.
        for (long entry = table; entry <= end; entry += stride, to += into.stride) {
            if (entry == end ? hasZeroKey() : !isEmpty(entry)) {
                settleEntry(entry, to);
            }
        }
        into.size = size;
        into.hasZeroKey(hasZeroKey());
        carries.addTo(into);
    }

    private void settleEntry(long entry, long to) {
        long value = to + (long) keyWords * Long.BYTES;
        if (keyBytes == Integer.BYTES) {
            Memory.putLong(to, Memory.getInt(entry) & 0xffff_ffffL);
        } else {
            Memory.copy(entry, to, keyBytes);
        }
        for (int w = 0; w < initialValue.length; w++) {
            long from = entry + keyBytes + offsets[w];
            long word = narrow[w] ? Memory.getInt(from) & 0xffff_ffffL : Memory.getLong(from);
            Memory.putLong(value + (long) w * Long.BYTES, word);
        }
    }

    /** Adds value words to others. */
    final void add(long into, long words) {
        for (int i = 0; i < initialValue.length * Long.BYTES; i += Long.BYTES) {
            Memory.putLong(into + i, Memory.getLong(into + i) + Memory.getLong(words + i));
        }
    }

    /**
     * Moves its memory to the account of another allocator, from which its own was reserved.
     *
     * @return whether there is room for all; a part may have moved
     */
    public boolean handOver(NativeAllocator to) {
        return handSlots(to) && carries.handOver(to);
    }

    /** Removes all entries; keeps the memory. */
    public void clear() {
        emptySlots();
        carries.close();
    }

    @Override
    public void close() {
        freeSlots();
        carries.close();
    }

    /** Returns the value address of the all-zero key. */
    protected final long findZero() {
        if (hasZeroKey()) {
            return end() + keyBytes;
        }
        hasZeroKey(true);
        return insertedAt(end());
    }

    /** Returns whether an entry can be made without growth. */
    protected final boolean hasRoom() {
        return size < fullAt();
    }

    /** Counts the entry whose key was just written, and sets its first value. */
    protected final long insertedAt(long entry) {
        size++;
        madeEntry();
        long value = entry + keyBytes;
        if (!startsAtZero) {
            initialise(value);
        }
        return value;
    }

    /** Sets the first value of these slots and those behind. */
    final void initialiseFrom(long slot) {
        for (long s = slot; !startsAtZero && s < slots(); s++) {
            initialise(slotAddress(s) + keyBytes);
        }
    }

    private void initialise(long value) {
        for (int w = 0; w < initialValue.length; w++) {
            if (narrow[w]) {
                Memory.putInt(value + offsets[w], (int) initialValue[w]);
            } else {
                Memory.putLong(value + offsets[w], initialValue[w]);
            }
        }
    }
}
