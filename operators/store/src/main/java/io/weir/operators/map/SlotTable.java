package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.NativeSlots;

/**
 * The table of a {@link FlatMap}: a power of two of slots in one piece of native memory. It grows
 * in place. The piece becomes larger and is then <em>split</em>. A split moves each entry to the
 * same slot, or to one that lies behind by the old length or a multiple of it.
 *
 * <p>A table is split in steps, one with each batch, from its first slot to its last. Meanwhile the
 * homes of keys are corrected: keys of an old slot belong to it until it is split. Each step ends
 * at an empty slot. So only unsplit entries lie behind that slot, and all of them do.
 */
abstract class SlotTable {
    /** The distance of the nobody slot from the end of the slots. */
    static final int NOBODY = 2;

    /** The least number of slots that are split at a time: a few 10 µs. */
    private static final int STEP_SLOTS = 4096;

    protected final int keyBytes;
    protected final int stride;
    protected long table;
    protected long mask;

    int size;

    private final long maxBytes;
    private final boolean direct;
    private NativeAllocator allocator;
    private long tableBytes;
    private long slots;
    private long end;
    private int growAt;
    private int fullAt;
    private boolean zeroKey;
    private boolean filling;

    /** While a table is split: its old number of slots, and how many of those are done. */
    private long oldSlots;

    private long split;

    /** Keys of old slots from this one on are still in the old place. */
    private long unsplit = Long.MAX_VALUE;

    SlotTable(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        this.allocator = allocator;
        this.keyBytes = layout.keyBytes();
        this.stride = layout.strideBytes();
        this.maxBytes = maxBytes;
        this.direct = layout.isDirect();
        this.slots = slots;
        tableBytes = SlotGrowth.bytes(stride, slots);
        table = allocator.allocate(tableBytes, MemoryTag.MAP);
        sized();
    }

    private void sized() {
        mask = slots - 1;
        end = table + slots * stride;
        growAt = SlotGrowth.growAt(slots, stride, direct);
        fullAt = (int) (slots / 8 * 7);
        Memory.fill(nobody(), keyBytes, (byte) -1);
    }

    /** Takes an entry out and puts it into the first slot, from its home on, that is then empty. */
    abstract void place(long entry);

    /** Moves the bytes after the key's first ones, from a slot to another or the same. */
    final void placeRest(long from, long to, int first) {
        for (int i = first; i < stride; i += Long.BYTES) {
            long word = Memory.getLong(from + i);
            Memory.putLong(from + i, 0);
            Memory.putLong(to + i, word);
        }
    }

    /**
     * Returns the current home of a key. It has no branch on whether the slot is split. The CPU
     * cannot predict that, and a warm-up may never have taken one of the branches.
     */
    protected final long homeAddress(long hash) {
        long slot = hash & mask;
        long old = slot & oldSlots - 1;
        long isUnsplit = unsplit - 1 - old >> Long.SIZE - 1;
        return table + (slot ^ (slot ^ old) & isUnsplit) * stride;
    }

    /**
     * Returns the first old slot whose keys are still in the old place; MAX_VALUE if all are split.
     */
    final long unsplit() {
        return unsplit;
    }

    /** Returns the old number of slots while the table is split. */
    final long oldSlots() {
        return oldSlots;
    }

    /** Returns whether a large part of the keys was new recently. */
    final boolean isFilling() {
        return filling;
    }

    final void isFilling(boolean is) {
        filling = is;
    }

    final boolean isSplitting() {
        return oldSlots > 0;
    }

    /**
     * Makes room for so many more entries, within the bound. Returns whether entries were moved.
     */
    final boolean makeRoomFor(int more) {
        boolean moved = isSplitting();
        if (moved) {
            split(STEP_SLOTS);
        }
        while ((long) size + more > growAt) {
            if (!grow()) {
                // No larger table is possible. This one is filled as long as probes stay short.
                growAt = Integer.MAX_VALUE;
                return moved;
            }
            moved = true;
        }
        return moved;
    }

    /**
     * Returns whether there is no room for so many more entries, before or after a growth was
     * tried.
     */
    final boolean lacksRoom(int more) {
        long wanted = (long) size + more;
        return wanted > growAt || wanted > fullAt;
    }

    /** Returns the number of entries that may be made before it grows, or is full. */
    final int room() {
        return Math.max(0, Math.min(growAt, fullAt) - size);
    }

    /** Lets a table that could not grow try again. */
    final void retryGrowth() {
        sized();
    }

    /** Enlarges a table that has room, if there is memory for it. */
    final boolean widen() {
        boolean larger = growAt < Integer.MAX_VALUE && grow();
        growAt = larger ? growAt : Integer.MAX_VALUE;
        return larger;
    }

    private boolean grow() {
        finishSplit();
        return SlotGrowth.isQuick(tableBytes, filling) && growBy(4) || growBy(2);
    }

    private boolean growBy(int times) {
        long newBytes = SlotGrowth.bytes(stride, slots * times);
        if (newBytes > maxBytes || slots >= 1 << 29) {
            return false;
        }
        long[] zeroEntry = zeroKey ? words(end) : null;
        long grown = allocator.tryGrow(table, tableBytes, slots * stride, newBytes, MemoryTag.MAP);
        if (grown == 0) {
            return false;
        }
        oldSlots = slots;
        split = 0;
        table = grown;
        tableBytes = newBytes;
        slots *= times;
        sized();
        if (zeroEntry != null) {
            for (int i = 0; i < zeroEntry.length; i++) {
                Memory.putLong(end + (long) i * Long.BYTES, zeroEntry[i]);
            }
        }
        unwrap();
        split(STEP_SLOTS);
        return true;
    }

    private long[] words(long entry) {
        long[] words = new long[stride / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            words[i] = Memory.getLong(entry + (long) i * Long.BYTES);
        }
        return words;
    }

    /**
     * Moves entries that were pushed from the old table's last slots to its first. They go behind
     * the last slots instead.
     */
    private void unwrap() {
        mask = oldSlots - 1;
        for (long entry = table; !isEmpty(entry); entry += stride) {
            place(entry);
        }
        mask = slots - 1;
    }

    /** Splits the remaining slots. */
    final void finishSplit() {
        if (isSplitting()) {
            split(oldSlots);
        }
    }

    /** Splits so many slots or more. An entry moves up in the old part, or to a new one. */
    private void split(long most) {
        unsplit = Long.MAX_VALUE;
        // Entries are placed 64 at a time: entries behind the last ones are split too.
        long pieces = (Math.min(oldSlots - split, most) + Long.SIZE - 1) / Long.SIZE;
        long piece = (long) Long.SIZE * stride;
        long from = table + split * stride;
        long until = from + pieces * piece;
        if (NativeSlots.has(stride)) {
            NativeSlots.place(from, until, keyBytes, stride, table, slots, oldSlots);
            from = until;
        }
        for (; from < until; from += piece) {
            placeAll(from);
        }
        // Entries that were pushed past these slots: those of the last ones go into the first new
        // part.
        for (; !isEmpty(from); from = nextSlot(from)) {
            place(from);
        }
        split = (from - table) / stride;
        if (split < oldSlots) {
            unsplit = split;
        } else {
            oldSlots = 0;
        }
    }

    /**
     * Places the next 64 slots. It has no branch on whether one is empty, which the CPU cannot
     * predict.
     */
    private void placeAll(long from) {
        long full = 0;
        long entry = from;
        for (int i = 0; i < Long.SIZE; i++, entry += stride) {
            full |= isEmpty(entry) ? 0 : 1L << i;
        }
        for (; full != 0; full &= full - 1) {
            place(from + (long) Long.numberOfTrailingZeros(full) * stride);
        }
    }

    protected final long slotAddress(long hash) {
        return table + (hash & mask) * stride;
    }

    protected final long nextSlot(long address) {
        long next = address + stride;
        return next == end ? table : next;
    }

    protected final boolean isEmpty(long entry) {
        if (keyBytes == Integer.BYTES) {
            return Memory.getInt(entry) == 0;
        }
        long any = 0;
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            any |= Memory.getLong(entry + i);
        }
        return any == 0;
    }

    /** Returns the address behind the last slot. */
    final long end() {
        return end;
    }

    final long scratch() {
        return end + stride;
    }

    /** Returns the slot that belongs to no key. */
    protected final long nobody() {
        return end + (long) NOBODY * stride;
    }

    /** Returns the home of the all-zero key: its entry, or the nobody slot if it has none. */
    protected final long zeroHome() {
        return zeroKey ? end : nobody();
    }

    final boolean hasZeroKey() {
        return zeroKey;
    }

    final void hasZeroKey(boolean has) {
        zeroKey = has;
    }

    /** Returns the number of entries that a table of this size can take. */
    public final int fullAt() {
        return fullAt;
    }

    final long slots() {
        return slots;
    }

    final long tableBytes() {
        return tableBytes;
    }

    final long maxBytes() {
        return maxBytes;
    }

    /** Moves the table to the account of another allocator. Returns whether there is room. */
    final boolean handSlots(NativeAllocator to) {
        boolean handed = allocator.handOver(tableBytes, MemoryTag.MAP, to);
        allocator = handed ? to : allocator;
        return handed;
    }

    final NativeAllocator allocator() {
        return allocator;
    }

    /** Removes all entries; keeps the memory. */
    final void emptySlots() {
        Memory.zero(table, tableBytes);
        forget();
        sized();
    }

    private void forget() {
        size = 0;
        filling = false;
        zeroKey = false;
        oldSlots = 0;
        unsplit = Long.MAX_VALUE;
    }

    final void freeSlots() {
        allocator.free(table, tableBytes, MemoryTag.MAP);
        forget();
        table = 0;
        end = 0;
        tableBytes = 0;
        slots = 0;
    }
}
