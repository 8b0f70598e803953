package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * What a kernel has collected for a pane and not yet put into its tables: entries of some words
 * each, whose meaning is the kernel's. In native memory, one behind the other, so that a kernel
 * reaches all of an entry by one register. Where a map is to look for a key, its words lie
 * together, with a word before them that is the map's: for the key's home.
 *
 * <p>Empty between two runs of kernels. One thread at a time.
 */
public final class Batch implements AutoCloseable {
    /** Entries that fit. */
    public static final int SIZE = 256;

    /** Room for seven words an entry: few kernels take more. */
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
     * Makes this empty one a batch of entries of so many bytes.
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

    /** Address of the first entry. */
    public long start() {
        return memory + HEAD_BYTES;
    }

    /** Where the last of so many entries ends, {@link #SIZE} at most. */
    public long end(int most) {
        return start() + (long) most * entryBytes;
    }

    /** Where the next entry goes. */
    public long next() {
        return start() + (long) entries * entryBytes;
    }

    /** Says how far it has been filled. */
    public void next(long address) {
        entries = (int) (address - start()) / entryBytes;
    }

    /** Of {@link #SIZE} words for a kernel's use, while it takes entries. */
    public long others() {
        return memory;
    }

    /** As many for those whose keys are new in a map. */
    public long made() {
        return memory + LIST_BYTES;
    }

    /** Of a {@link GatherCall}, for GPVs that are read into this batch. */
    public long call() {
        return memory + LISTS_BYTES;
    }

    /** How many GPVs the last call has left. */
    public int gpvsLeft() {
        return (int) Memory.getLong(call() + GatherCall.LEFT);
    }

    /** Address of the first of them. */
    public long nextGpv() {
        return Memory.getLong(call() + GatherCall.NEXT);
    }

    public int entryBytes() {
        return entryBytes;
    }

    public int entries() {
        return entries;
    }

    /** How many there are; then there are none. */
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
