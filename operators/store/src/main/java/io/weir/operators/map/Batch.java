package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * The entries that a kernel has collected for a pane and not yet put into its tables. The kernel
 * decides what an entry's words mean. Entries lie one behind the other in native memory, so a
 * kernel reaches all of an entry with one register. The words of a key for a map lie together. The
 * word before them belongs to the map, which keeps the key's home slot there.
 *
 * <p>Empty between two runs of kernels. One thread at a time.
 */
public final class Batch implements AutoCloseable {
    /** The most entries of a batch. */
    public static final int SIZE = 256;

    /** Room for seven words an entry. Few kernels need more. */
    private static final int FIRST_BYTES = 16 << 10;

    private static final int LIST_BYTES = SIZE * Long.BYTES;
    private static final int LISTS_BYTES = 2 * LIST_BYTES;
    private static final int HEAD_BYTES = LISTS_BYTES + GatherCall.BYTES;

    private final NativeAllocator allocator;
    private long memory;
    private long bytes;
    private int entryBytes;
    private int entries;

    /**
     * @throws io.weir.operators.error.WeirException when there is no memory for it
     */
    public Batch(NativeAllocator allocator) {
        this.allocator = allocator;
        bytes = FIRST_BYTES;
        memory = allocator.allocate(bytes, MemoryTag.SCRATCH);
    }

    /**
     * Changes this empty batch to entries of so many bytes.
     *
     * @throws io.weir.operators.error.WeirException when there is no memory for it
     */
    public void fit(int newEntryBytes) {
        entryBytes = newEntryBytes;
        long wanted = (long) SIZE * entryBytes + HEAD_BYTES;
        if (wanted > bytes) {
            long larger = allocator.allocate(wanted, MemoryTag.SCRATCH);
            close();
            memory = larger;
            bytes = wanted;
        }
    }

    /** Returns the address of the first entry. */
    public long start() {
        return memory + HEAD_BYTES;
    }

    /** Returns the end of the last of so many entries, {@link #SIZE} at most. */
    public long end(int most) {
        return start() + (long) most * entryBytes;
    }

    /** Returns the place of the next entry. */
    public long next() {
        return start() + (long) entries * entryBytes;
    }

    /** Sets the place of the next entry. */
    public void next(long address) {
        entries = (int) (address - start()) / entryBytes;
    }

    /** Returns the address of {@link #SIZE} words that a kernel uses while it takes entries. */
    public long others() {
        return memory;
    }

    /** Returns the address of as many words, for entries whose keys are new in a map. */
    public long made() {
        return memory + LIST_BYTES;
    }

    /** Returns the address of a {@link GatherCall}, for GPVs that are read into this batch. */
    public long call() {
        return memory + LISTS_BYTES;
    }

    /** Returns the number of GPVs that the last call did not read. */
    public int gpvsLeft() {
        return (int) Memory.getLong(call() + GatherCall.LEFT);
    }

    /** Returns the address of the first of them. */
    public long nextGpv() {
        return Memory.getLong(call() + GatherCall.NEXT);
    }

    public int entryBytes() {
        return entryBytes;
    }

    public int entries() {
        return entries;
    }

    /** Returns the number of entries, and empties the batch. */
    public int take() {
        int taken = entries;
        entries = 0;
        return taken;
    }

    @Override
    public void close() {
        allocator.free(memory, bytes, MemoryTag.SCRATCH);
        memory = 0;
        bytes = 0;
    }
}
