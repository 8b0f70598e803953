package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * A hash map in one piece of native memory: open addressing, linear probing, entries inline, a
 * power of two of slots that doubles as it fills.
 *
 * <pre>
 *   slot 0 … slots-1    key words, value words (8 bytes each); an all-zero key marks an empty slot
 *   slot "slots"        the entry of the all-zero key itself
 * </pre>
 *
 * One thread at a time. {@code find} returns the address of an entry's value words and inserts the
 * entry, with the initial value, where it is absent; 0 when the map has reached its bound, for the
 * caller to count. Addresses hold until the next find that inserts. Nothing can be removed but
 * everything ({@link #clear}). Specialised by key width, so that keys are passed in registers:
 * {@link FlatMap1}, {@link FlatMap2}, {@link FlatMapN}.
 */
public abstract sealed class FlatMap implements AutoCloseable permits FlatMap1, FlatMap2, FlatMapN {
    private static final int FIRST_SLOTS = 64;

    protected final int keyWords;
    protected final int keyBytes;
    protected final int stride;
    protected long table;
    protected long mask;

    private final NativeAllocator allocator;
    private final long maxBytes;
    private final long[] initialValue;
    private long tableBytes;
    private long slots;
    private long end;
    private int size;
    private int growAt;
    private boolean zeroKey;
    private boolean inserted;

    protected FlatMap(NativeAllocator allocator, int keyWords, long[] initialValue, long maxBytes) {
        this.allocator = allocator;
        this.keyWords = keyWords;
        this.keyBytes = keyWords * Long.BYTES;
        this.stride = keyBytes + initialValue.length * Long.BYTES;
        this.initialValue = initialValue.clone();
        this.maxBytes = maxBytes;
        slots = FIRST_SLOTS;
        tableBytes = bytesOf(slots);
        table = allocator.allocate(tableBytes, MemoryTag.MAP);
        mask = slots - 1;
        end = table + slots * stride;
        growAt = growAt(slots);
    }

    /**
     * A map for keys of {@code keyWords} words.
     *
     * @param initialValue the value words of a new entry
     * @param maxBytes bound of the table; while one grows, the old one is held beside it
     * @throws io.weir.operators.error.WeirException when there is no memory for even the first
     *     table
     */
    public static FlatMap create(
            NativeAllocator allocator, int keyWords, long[] initialValue, long maxBytes) {
        return switch (keyWords) {
            case 1 -> new FlatMap1(allocator, initialValue, maxBytes);
            case 2 -> new FlatMap2(allocator, initialValue, maxBytes);
            default -> new FlatMapN(allocator, keyWords, initialValue, maxBytes);
        };
    }

    /** {@code find} for the key whose words lie at an address. */
    public abstract long findAt(long keyAddress);

    /** Slot address for a key that is known to be absent from a table being filled. */
    abstract long emptySlotFor(long keyAddress);

    /** Whether the last find made a new entry. */
    public final boolean inserted() {
        return inserted;
    }

    public final int size() {
        return size;
    }

    /** Native memory held now. */
    public final long bytes() {
        return tableBytes;
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

    /** Forgets all entries; keeps the memory. */
    public final void clear() {
        Memory.fill(table, tableBytes, (byte) 0);
        size = 0;
        zeroKey = false;
        growAt = growAt(slots);
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
    }

    protected final long slotAddress(long hash) {
        return table + (hash & mask) * stride;
    }

    protected final long nextSlot(long address) {
        long next = address + stride;
        return next == end ? table : next;
    }

    protected final long found(long entry) {
        inserted = false;
        return entry + keyBytes;
    }

    protected final boolean isEmpty(long entry) {
        long any = 0;
        for (int i = 0; i < keyBytes; i += Long.BYTES) {
            any |= Memory.getLong(entry + i);
        }
        return any == 0;
    }

    /** Value address of the all-zero key. */
    protected final long findZero() {
        long entry = end;
        if (zeroKey) {
            return found(entry);
        }
        zeroKey = true;
        size++;
        return initialise(entry);
    }

    /** Whether one more entry fits, after growth if need be: then all addresses may have moved. */
    protected final boolean makeRoom() {
        return size < growAt || grow();
    }

    /** Counts the entry whose key was just written, and gives it its first value. */
    protected final long insertedAt(long entry) {
        size++;
        return initialise(entry);
    }

    private long initialise(long entry) {
        long value = entry + keyBytes;
        for (int i = 0; i < initialValue.length; i++) {
            Memory.putLong(value + (long) i * Long.BYTES, initialValue[i]);
        }
        inserted = true;
        return value;
    }

    private boolean grow() {
        long newBytes = bytesOf(slots * 2);
        boolean allowed = newBytes <= maxBytes && slots < 1 << 29;
        long newTable = allowed ? allocator.tryAllocate(newBytes, MemoryTag.MAP) : 0;
        if (newTable == 0) {
            // No larger table is to be had: fill this one further, as far as probing stays short.
            growAt = (int) (slots / 8 * 7);
            return size < growAt;
        }
        moveTo(newTable, newBytes);
        return true;
    }

    private void moveTo(long newTable, long newBytes) {
        long oldTable = table;
        long oldBytes = tableBytes;
        long oldEnd = end;
        table = newTable;
        tableBytes = newBytes;
        slots *= 2;
        mask = slots - 1;
        end = table + slots * stride;
        growAt = growAt(slots);
        for (long entry = oldTable; entry < oldEnd; entry += stride) {
            if (!isEmpty(entry)) {
                Memory.copy(entry, emptySlotFor(entry), stride);
            }
        }
        Memory.copy(oldEnd, end, stride);
        allocator.free(oldTable, oldBytes, MemoryTag.MAP);
    }

    private long bytesOf(long slotCount) {
        return (slotCount + 1) * stride;
    }

    private static int growAt(long slotCount) {
        return (int) (slotCount / 8 * 5);
    }
}
