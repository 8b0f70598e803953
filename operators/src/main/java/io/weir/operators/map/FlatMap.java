package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.memory.Prefetch;
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
 * </pre>
 *
 * One thread at a time. To take an entry out ({@link #remove}) is for the rare case: it moves
 * others. Specialised by key width, so that keys are passed in registers: {@link FlatMapInt},
 * {@link FlatMap1}, {@link FlatMap2}, {@link FlatMapN}.
 *
 * <p>Kernels look keys up in batches ({@link Batch}), so that the misses of a batch overlap. While
 * they collect keys, {@code ahead} asks for the slots where the last of them are to be looked for,
 * their <em>homes</em>. Then {@code seek}: it makes room for all keys, and asks for the homes that
 * were not asked for. Where nothing can be asked for, seek loads the homes; loads with nothing else
 * between them have the most misses at a time. Then, for each key of the batch, by its address,
 * either {@code find}: the address of the entry's value words, made with the initial value where it
 * was absent; 0 when the map has reached its bound, for the caller to count. Or first {@code away},
 * which tells without a branch whether the entry at home is another's, and {@link #slot}, which is
 * scratch then; what is away is left for a find. Most keys are found at home, but nobody can guess
 * which are not. The map does not move until the next seek.
 *
 * <p>All others call {@code findAlone(key)}, which seeks too: addresses hold until the next one
 * that makes an entry.
 */
public abstract sealed class FlatMap implements AutoCloseable
        permits FlatMapInt, FlatMap1, FlatMap2, FlatMapN {
    private static final int FIRST_SLOTS = 64;
    private static final long CARRIED = 1L << Integer.SIZE;

    /**
     * A table of up to so many bytes grows at a load of 3/8, a larger one at 5/8. In a fuller table
     * it is harder to guess where a probe ends, and a wrong guess costs more than a miss that a
     * seek has hidden; but where tables are large, their memory is what counts.
     */
    private static final long ROOMY_BYTES = 64L << 20;

    /** One of up to so many bytes at 1/8: it stays in the nearest cache however empty it is. */
    private static final int SMALL_BYTES = 32 << 10;

    /** A table of fewer bytes is soon too small again: it grows by four. */
    private static final int QUICK_BYTES = 1 << 20;

    private static final int MOVED_AT_ONCE = 256;

    /** A table of so many bytes is in a cache near enough. */
    private static final int NEAR_BYTES = 256 << 10;

    protected final int keyWords;
    protected final int keyBytes;
    protected final int stride;
    protected long table;
    protected long mask;

    /** What loads of homes have read, so that they are not left out as useless. */
    long touched;

    private final NativeAllocator allocator;
    private final EntryLayout layout;
    private final long maxBytes;
    private final long[] initialValue;
    private final int[] offsets;
    private final boolean[] narrow;
    private final boolean startsAtZero;
    private long tableBytes;
    private long slots;
    private long end;
    private int size;
    private int growAt;
    private int fullAt;

    /** How many of the batch's homes are known, and have been asked for. */
    private int asked;

    private boolean zeroKey;
    private boolean inserted;

    private FlatMap carries;

    protected FlatMap(NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        this.allocator = allocator;
        this.layout = layout;
        this.keyBytes = layout.keyBytes();
        this.keyWords = layout.keyWords();
        this.stride = layout.strideBytes();
        this.initialValue = layout.initialValue().stream().mapToLong(Long::longValue).toArray();
        this.startsAtZero = layout.initialValue().stream().allMatch(word -> word == 0);
        this.offsets = new int[initialValue.length];
        this.narrow = new boolean[initialValue.length];
        for (int w = 0; w < offsets.length; w++) {
            offsets[w] = layout.offset(w);
            narrow[w] = layout.isNarrow(w);
        }
        this.maxBytes = maxBytes;
        this.slots = slots;
        tableBytes = bytesOf(slots);
        table = allocator.allocate(tableBytes, MemoryTag.MAP);
        sized();
    }

    /**
     * An empty map.
     *
     * @param maxBytes bound of the table; while one grows, the old one is held beside it
     * @throws io.weir.operators.error.WeirException when there is no memory for even the first
     *     table
     */
    public static FlatMap create(NativeAllocator allocator, EntryLayout layout, long maxBytes) {
        return create(allocator, layout, maxBytes, FIRST_SLOTS);
    }

    private static FlatMap create(
            NativeAllocator allocator, EntryLayout layout, long maxBytes, long slots) {
        return switch (layout.keyBytes()) {
            case Integer.BYTES -> new FlatMapInt(allocator, layout, maxBytes, slots);
            case Long.BYTES -> new FlatMap1(allocator, layout, maxBytes, slots);
            case 2 * Long.BYTES -> new FlatMap2(allocator, layout, maxBytes, slots);
            default -> new FlatMapN(allocator, layout, maxBytes, slots);
        };
    }

    private void sized() {
        mask = slots - 1;
        end = table + slots * stride;
        long bytes = slots * stride;
        growAt = (int) (slots / 8 * (bytes <= SMALL_BYTES ? 1 : bytes <= ROOMY_BYTES ? 3 : 5));
        fullAt = (int) (slots / 8 * 7);
        Memory.fill(nobody(), keyBytes, (byte) -1);
    }

    /** {@code find} for the key whose words lie at an address. */
    public abstract long findAt(long keyAddress);

    /** Slot address for an entry that is known to be absent from a table being filled. */
    abstract long emptySlotFor(long entry);

    /** Whether a find has made a new entry since the last seek, or since this was last asked. */
    public final boolean inserted() {
        boolean made = inserted;
        inserted = false;
        return made;
    }

    /**
     * Takes an entry out again; other addresses are void then.
     *
     * @param value address of its value words
     */
    public final void remove(long value) {
        long hole = value - keyBytes;
        size--;
        Memory.zero(hole, stride);
        if (hole == end) {
            zeroKey = false;
            return;
        }
        // What lies behind it, up to the next gap, may have been pushed there by it.
        for (long entry = nextSlot(hole); !isEmpty(entry); entry = nextSlot(entry)) {
            moveUp(entry);
        }
    }

    /** Puts an entry where it is looked for first and nothing is. */
    final void moveUp(long entry) {
        Memory.copy(entry, scratch(), stride);
        Memory.zero(entry, stride);
        Memory.copy(scratch(), emptySlotFor(scratch()), stride);
    }

    /** So many entries, whose slots are zero, are not there any more. */
    final void fewer(int entries) {
        size -= entries;
    }

    /** Address behind the last slot. */
    final long end() {
        return end;
    }

    /** The entry of the all-zero key; 0 where there is none. */
    final long zeroEntry() {
        return zeroKey ? end : 0;
    }

    public final int size() {
        return size;
    }

    /** How many entries a table of the size that this one has can take. */
    public final int fullAt() {
        return fullAt;
    }

    /** Whether so many more entries have room, in a larger table if there is memory for one now. */
    public final boolean makeRoom(int more) {
        long wanted = (long) size + more;
        if (wanted > growAt || wanted > fullAt) {
            sized();
            reserve(more);
        }
        return wanted <= fullAt;
    }

    /** Bytes of a table with so many slots. */
    public static long bytes(EntryLayout layout, long slots) {
        return bytesOf(layout.strideBytes(), slots);
    }

    /** Native memory held now. */
    public final long bytes() {
        return tableBytes + (carries == null ? 0 : carries.bytes());
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
        for (; address < end; address += stride) {
            if (!isEmpty(address)) {
                return address;
            }
        }
        return zeroKey && address == end ? address : 0;
    }

    /**
     * A narrow word has passed 2^32 and starts anew: so much is remembered beside it.
     *
     * @param value address of the entry's value words
     * @return how many were lost, since there was no memory to remember them: 0 or 2^32
     */
    public final long carry(long value, int word) {
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
                carries = create(allocator, whole, Long.MAX_VALUE);
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

    private long scratch() {
        return end + stride;
    }

    /** Home of the all-zero key: what is there is no key's, so that it is always away. */
    protected final long nobody() {
        return end + 2L * stride;
    }

    /**
     * This map with whole words, in memory of that allocator; itself where it has them. Null when
     * there is no memory for it. This map stays as it is.
     */
    public final FlatMap settledCopy(NativeAllocator memory) {
        if (layout.isSettled()) {
            return this;
        }
        EntryLayout whole = layout.toSettled();
        FlatMap into;
        try {
            into = create(memory, whole, maxBytes, slots);
        } catch (WeirException noMemory) {
            return null;
        }
        settleInto(into);
        return into;
    }

    private void settleInto(FlatMap into) {
        long to = into.table;
        // Slot by slot: the hash, and so the place, is the same.
        for (long entry = table; entry <= end; entry += stride, to += into.stride) {
            if (entry == end ? zeroKey : !isEmpty(entry)) {
                settleEntry(entry, to);
            }
        }
        into.size = size;
        into.zeroKey = zeroKey;
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

    private void add(long into, long words) {
        for (int i = 0; i < initialValue.length * Long.BYTES; i += Long.BYTES) {
            Memory.putLong(into + i, Memory.getLong(into + i) + Memory.getLong(words + i));
        }
    }

    /** Forgets all entries; keeps the memory. */
    public final void clear() {
        Memory.zero(table, tableBytes);
        size = 0;
        zeroKey = false;
        sized();
        closeCarries();
    }

    @Override
    public final void close() {
        allocator.free(table, tableBytes, MemoryTag.MAP);
        table = 0;
        end = 0;
        tableBytes = 0;
        slots = 0;
        size = 0;
        zeroKey = false;
        closeCarries();
    }

    private void closeCarries() {
        if (carries != null) {
            carries.close();
            carries = null;
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

    /** Value address of the all-zero key. */
    protected final long findZero() {
        if (zeroKey) {
            return end + keyBytes;
        }
        zeroKey = true;
        return insertedAt(end);
    }

    /** Whether an entry can be made without growth. */
    protected final boolean hasRoom() {
        return size < fullAt;
    }

    /** Whether to ask for homes while keys are collected. */
    protected final boolean asks() {
        return Prefetch.NATIVE && tableBytes > NEAR_BYTES;
    }

    /** How many of the batch's homes are known, and have been asked for. */
    protected final int asked() {
        return asked;
    }

    /** The home of a key in a batch. */
    protected static long homeOf(long key) {
        return Memory.getLong(key - Long.BYTES);
    }

    protected static void homeOf(long key, long home) {
        Memory.putLong(key - Long.BYTES, home);
    }

    /** Asks for homes that have become known, up to this one. */
    protected final void ask(Batch batch, int key, int to, long near, long next) {
        int step = batch.entryBytes();
        long first = batch.start() + (long) asked * step + key - Long.BYTES;
        Prefetch.at(first, step, to - asked, stride, near, next);
        batch.foundFar();
        asked = to;
    }

    /** All homes are known: asks for the last of them, or loads them. */
    protected final void fetch(Batch batch, int key, int count) {
        if (!Prefetch.NATIVE) {
            load(batch.start() + key, batch.entryBytes(), count);
        } else if (asks() && asked < count) {
            ask(batch, key, count, 0, 0);
        }
        asked = 0;
        for (long word = scratch(); word < nobody(); word += Long.BYTES) {
            Memory.putLong(word, 0);
        }
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

    private void load(long keys, int step, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen ^= Memory.getInt(homeOf(keys + (long) i * step));
        }
        touched = seen;
    }

    /** Makes room for so many more entries, within the bound. */
    protected final void reserve(int more) {
        inserted = false;
        boolean grown = true;
        while (grown && (long) size + more > growAt) {
            grown = grow();
        }
    }

    /** Counts the entry whose key was just written, and gives it its first value. */
    protected final long insertedAt(long entry) {
        size++;
        inserted = true;
        long value = entry + keyBytes;
        if (!startsAtZero) {
            initialise(value);
        }
        return value;
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

    private boolean grow() {
        boolean grown = tableBytes < QUICK_BYTES && growBy(4) || growBy(2);
        if (!grown) {
            // No larger table is to be had: this one is filled as far as probing stays short.
            growAt = Integer.MAX_VALUE;
        }
        return grown;
    }

    private boolean growBy(int times) {
        long newBytes = bytesOf(slots * times);
        boolean allowed = newBytes <= maxBytes && slots < 1 << 29;
        long newTable = allowed ? allocator.tryAllocate(newBytes, MemoryTag.MAP) : 0;
        if (newTable == 0) {
            return false;
        }
        moveTo(newTable, newBytes, slots * times);
        return true;
    }

    private void moveTo(long newTable, long newBytes, long newSlots) {
        long oldTable = table;
        long oldBytes = tableBytes;
        long oldEnd = end;
        table = newTable;
        tableBytes = newBytes;
        slots = newSlots;
        sized();
        asked = 0;
        long[] entries = new long[MOVED_AT_ONCE];
        long next = oldTable;
        while (next < oldEnd) {
            long until = Math.min(oldEnd, next + (long) MOVED_AT_ONCE * stride);
            int found = 0;
            // Without a branch on what nobody can guess: whether a slot is empty.
            for (; next < until; next += stride) {
                entries[found] = next;
                found += isEmpty(next) ? 0 : 1;
            }
            for (int i = 0; i < found; i++) {
                copyEntry(entries[i], emptySlotFor(entries[i]));
            }
        }
        Memory.copy(oldEnd, end, stride);
        allocator.free(oldTable, oldBytes, MemoryTag.MAP);
    }

    /** So few bytes cost less word by word than by a call. */
    private void copyEntry(long from, long to) {
        for (int i = 0; i < stride; i += Long.BYTES) {
            Memory.putLong(to + i, Memory.getLong(from + i));
        }
    }

    private long bytesOf(long slotCount) {
        return bytesOf(stride, slotCount);
    }

    private static long bytesOf(int strideBytes, long slotCount) {
        return (slotCount + 3) * strideBytes;
    }
}
