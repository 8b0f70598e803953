package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.Collections;
import java.util.List;

/**
 * A hash map in one piece of native memory: open addressing, linear probing, entries inline, a
 * power of two of slots that grows as it fills.
 *
 * <pre>
 *   slot 0 … slots-1    key, value words ({@link EntryLayout}); an all-zero key marks an empty slot
 *   the next one        the entry of the all-zero key itself
 *   one more            scratch: for entries on their way, and updates that are nobody's
 *   one more            nobody's: a key of ones, at which the all-zero key is said to be at home
 *                         as long as it has no entry
 * </pre>
 *
 * One thread at a time. To take an entry out ({@link #remove}) is for the rare case: it moves
 * others. Specialised by key width, so that keys are passed in registers: {@link FlatMapInt},
 * {@link FlatMap1}, {@link FlatMap2}, {@link FlatMapN}; and {@link FlatMapDirect}.
 *
 * <p>Kernels look keys up in batches ({@link Batch}), so that the misses of a batch overlap. While
 * they collect keys, {@code ahead} asks for the slots where the last of them are to be looked for,
 * their <em>homes</em>. Then {@code seek}: it makes room for all keys, and asks for the homes that
 * were not asked for. Where nothing can be asked for, seek loads the homes; loads with nothing else
 * between them have the most misses at a time. {@link #claim} may make entries for new keys then,
 * all in one go. Then, for each key of the batch, by its address, either {@code find}: the address
 * of the entry's value words, made with the initial value where it was absent; 0 when the map has
 * reached its bound, for the caller to count. Or first {@code away}, which tells without a branch
 * whether the entry at home is another's. Then either {@code atHome}, for what adds nothing where
 * it is, or {@link #slot}, which is scratch then; what is away is left for a find. Most keys are
 * found at home, but nobody can guess which are not. The map does not move until the next seek.
 *
 * <p>All others call {@code findAlone(key)}, which seeks too: addresses hold until the next one.
 */
public abstract sealed class FlatMap extends Homes implements AutoCloseable
        permits FlatMapDirect, FlatMapInt, FlatMap1, FlatMap2, FlatMapN {
    private static final long CARRIED = 1L << Integer.SIZE - 1;

    /** Keys claim homes where at least this part of a batch was new. */
    private static final int NEW_PART = 8;

    private final EntryLayout layout;
    private final long[] initialValue;
    private final int[] offsets;
    private final boolean[] narrow;
    private final boolean startsAtZero;

    private FlatMap carries;

    /** At the claim before: how many entries there were, and keys. */
    private int sizeBefore;

    private int countBefore;

    protected FlatMap(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        super(allocator, layout, maxBytes, slots);
        this.layout = layout;
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
     * An empty map.
     *
     * @param maxBytes bound of the table; while a small one grows, the old one is held beside it
     * @throws io.weir.operators.error.WeirException when there is no memory for even the first
     *     table
     */
    public static FlatMap create(NativeAllocator allocator, EntryLayout layout, long maxBytes) {
        return create(allocator, layout, maxBytes, FIRST_SLOTS);
    }

    /**
     * An empty map in which so many entries have room without growing; a smaller one where that
     * would take more than so many bytes, or where there is no memory for it.
     */
    public static FlatMap createFor(
            int entries,
            long mostBytes,
            NativeAllocator allocator,
            EntryLayout layout,
            long maxBytes) {
        long slots = slotsFor(entries, layout, mostBytes);
        if (slots > FIRST_SLOTS) {
            try {
                return create(allocator, layout, maxBytes, slots);
            } catch (WeirException noMemory) {
                // Then it grows from nothing, as far as it can.
            }
        }
        return create(allocator, layout, maxBytes);
    }

    static FlatMap create(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        if (layout.isDirect()) {
            return new FlatMapDirect(allocator, layout, maxBytes, slots);
        }
        return switch (layout.keyBytes()) {
            case Integer.BYTES -> new FlatMapInt(allocator, layout, maxBytes, slots);
            case Long.BYTES -> new FlatMap1(allocator, layout, maxBytes, slots);
            case 2 * Long.BYTES -> new FlatMap2(allocator, layout, maxBytes, slots);
            default -> new FlatMapN(allocator, layout, maxBytes, slots);
        };
    }

    /**
     * Makes entries at the homes that are empty, once a batch's homes are known, if many keys were
     * new of late: without a branch on whether one is, which nobody could guess. For a batch whose
     * keys are all to have entries. Not for the all-zero key.
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

    /** Makes the entries of a claim, and lists them: none where keys are wide. */
    long claimHomes(Batch batch, int toKey, int count) {
        return batch.made();
    }

    /**
     * Tells a {@link GatherCall} of this table, as {@link #describe} does; and that it may find and
     * make entries for what it reads, for which there is room then, if there can be. {@link
     * #accept} is to follow.
     *
     * @param more entries that are to have room
     */
    public final void offer(Batch batch, int number, int key, long entry, int more) {
        reserve(more);
        describe(batch, number, key, entry);
        long at = tableOf(batch, number);
        Memory.putLong(at + GatherCall.ROOM, room());
        Memory.putLong(at + GatherCall.CLAIMS, isFilling() ? 1 : 0);
        Memory.putLong(at + GatherCall.INSERTED, 0);
    }

    /** Counts the entries that a call has made, after which those up to this one are left. */
    public final void accept(Batch batch, int number, long entry) {
        long at = tableOf(batch, number);
        int inserted = (int) Memory.getLong(at + GatherCall.INSERTED);
        size += inserted;
        sizeBefore += inserted;
        hasZeroKey(Memory.getLong(at + GatherCall.ZERO) == slots());
        isFilling(Memory.getLong(at + GatherCall.CLAIMS) != 0);
        knows(batch, entry);
    }

    /** {@code find} for the key whose words lie at an address. */
    public abstract long findAt(long keyAddress);

    /**
     * Takes an entry out again; other addresses are void then.
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
        // What lies behind it, up to the next gap, may have been pushed there by it.
        for (long entry = nextSlot(hole); !isEmpty(entry); entry = nextSlot(entry)) {
            place(entry);
        }
    }

    /** So many entries, whose slots are zero, are not there any more. */
    final void fewer(int entries) {
        size -= entries;
    }

    /** The entry of the all-zero key; 0 where there is none. */
    final long zeroEntry() {
        return hasZeroKey() ? end() : 0;
    }

    public int size() {
        return size;
    }

    /** Whether so many more entries have room, in a larger table if there is memory for one now. */
    public final boolean makeRoom(int more) {
        if (lacksRoom(more)) {
            retryGrowth();
            reserve(more);
        }
        return (long) size + more <= fullAt();
    }

    /** Bytes of a table with so many slots. */
    public static long bytes(EntryLayout layout, long slots) {
        return bytesOf(layout.strideBytes(), slots);
    }

    /** Native memory held now. */
    public long bytes() {
        return tableBytes() + (carries == null ? 0 : carries.bytes());
    }

    /** Bytes from one entry's address to its value words. */
    public final int keyBytes() {
        return keyBytes;
    }

    public final int valueWords() {
        return initialValue.length;
    }

    /** Address of the first entry's key words in no particular order; 0 when empty. */
    public final long firstEntry() {
        return entryFrom(0);
    }

    /** The entry after this one; 0 after the last. */
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
     * Counts of four bytes that have come to 2^31 become that much less, which is remembered beside
     * them. For after a batch that a word has come so far in: no batch brings as much.
     *
     * @return how many were lost, since there was no memory to remember them
     */
    public final long carry() {
        long lost = 0;
        for (long entry = firstEntry(); entry != 0; entry = nextEntry(entry)) {
            long value = entry + keyBytes;
            for (int w = 0; w < narrow.length; w++) {
                long at = value + offsets[w];
                if (layout.isCount(w) && Memory.getInt(at) < 0) {
                    Memory.putInt(at, Memory.getInt(at) & Integer.MAX_VALUE);
                    lost += carry(value, w);
                }
            }
        }
        return lost;
    }

    private long carry(long value, int word) {
        long sums = carryAt(value);
        if (sums == 0) {
            return CARRIED;
        }
        long at = sums + (long) word * Long.BYTES;
        Memory.putLong(at, Memory.getLong(at) + CARRIED);
        return 0;
    }

    private long carryAt(long value) {
        if (carries == null) {
            List<Long> zeros = Collections.nCopies(initialValue.length, 0L);
            EntryLayout whole = EntryLayout.settled(keyWords, zeros);
            try {
                carries = create(allocator(), whole, Long.MAX_VALUE);
            } catch (WeirException noMemory) {
                return 0;
            }
        }
        return carries.findAt(settledKey(value - keyBytes));
    }

    /** Address of whole words of the key of an entry. */
    private long settledKey(long entry) {
        if (keyBytes != Integer.BYTES) {
            return entry;
        }
        // The map is being filled, so that nothing else lies in scratch.
        Memory.putLong(scratch(), Memory.getInt(entry) & 0xffff_ffffL);
        return scratch();
    }

    /**
     * This map with whole words, in memory of that allocator; itself where it has them. Null when
     * there is no memory for it. This map stays as it is.
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

    /** An empty map for entries of whole words. */
    FlatMap emptySettled(NativeAllocator memory) {
        return create(memory, layout.toSettled(), maxBytes(), slots());
    }

    /** Copies all entries to it. */
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
        if (carries != null) {
            for (long e = carries.firstEntry(); e != 0; e = carries.nextEntry(e)) {
                into.add(into.findAt(e), e + carries.keyBytes);
            }
        }
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
     * Has what it holds count in another's memory, from which its own was reserved.
     *
     * @return whether there is room for all of it; a part may have gone
     */
    public boolean handOver(NativeAllocator to) {
        return handSlots(to) && (carries == null || carries.handOver(to));
    }

    /** Forgets all entries; keeps the memory. */
    public void clear() {
        emptySlots();
        closeCarries();
    }

    @Override
    public void close() {
        freeSlots();
        closeCarries();
    }

    private void closeCarries() {
        if (carries != null) {
            carries.close();
            carries = null;
        }
    }

    /** Value address of the all-zero key. */
    protected final long findZero() {
        if (hasZeroKey()) {
            return end() + keyBytes;
        }
        hasZeroKey(true);
        return insertedAt(end());
    }

    /** Whether an entry can be made without growth. */
    protected final boolean hasRoom() {
        return size < fullAt();
    }

    /** Counts the entry whose key was just written, and gives it its first value. */
    protected final long insertedAt(long entry) {
        size++;
        madeEntry();
        long value = entry + keyBytes;
        if (!startsAtZero) {
            initialise(value);
        }
        return value;
    }

    /** Gives these slots and those behind their first value. */
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
