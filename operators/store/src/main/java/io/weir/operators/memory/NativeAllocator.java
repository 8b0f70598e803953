package io.weir.operators.memory;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.UnsafeApi;

/**
 * The one owner of native memory. Pieces are zeroed, lie on cache lines of their own (large ones on
 * large pages), are counted by tag and bounded. Any thread; another thread than the allocating one
 * may free a piece.
 *
 * <p>The caller remembers each piece's length and tag. {@link #close} is the leak check.
 */
public final class NativeAllocator implements AutoCloseable {
    private static final int LINE_BYTES = 64;
    private static final int LARGE_PAGE_BYTES = 2 << 20;

    /** The bytes of all allocators of the process. */
    private static final Map<MemoryTag, AtomicLong> USED_BY_ALL = counters();

    /** Readable bytes after each piece, for loads that are wider than their data. */
    private static final int SPARE_BYTES = 2048;

    private final NativeAllocator parent;
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean returned = new AtomicBoolean();
    private final long limitBytes;
    private final AtomicLong usedBytes;
    private final Map<MemoryTag, AtomicLong> usedByTag;

    /**
     * @param limitBytes the bound of {@link #usedBytes}
     */
    public NativeAllocator(long limitBytes) {
        this(null, limitBytes, new AtomicLong(), counters());
    }

    private NativeAllocator(
            NativeAllocator parent,
            long limitBytes,
            AtomicLong usedBytes,
            Map<MemoryTag, AtomicLong> usedByTag) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("limit of " + limitBytes + " bytes");
        }
        this.parent = parent;
        this.limitBytes = limitBytes;
        this.usedBytes = usedBytes;
        this.usedByTag = usedByTag;
    }

    private static Map<MemoryTag, AtomicLong> counters() {
        Map<MemoryTag, AtomicLong> counters = new EnumMap<>(MemoryTag.class);
        for (MemoryTag tag : MemoryTag.values()) {
            counters.put(tag, new AtomicLong());
        }
        return counters;
    }

    /**
     * Makes an allocator for one user. Its whole limit counts as used here from now on. So no other
     * user can take it, and it can take nothing of theirs. {@link #release} gives it back.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY when so much is not left
     */
    public NativeAllocator reserve(long bytes) {
        if (!take(bytes)) {
            throw new WeirException(
                    ErrorCode.OUT_OF_NATIVE_MEMORY,
                    "no native memory to reserve " + bytes + " bytes; " + inUse(),
                    "raise the memory limit (" + limitBytes + " bytes)");
        }
        return new NativeAllocator(this, bytes, new AtomicLong(), counters());
    }

    /**
     * Makes an allocator for the same memory with a lower bound: it refuses a piece that would
     * bring all use here over so many bytes. It reserves nothing, and nothing is given back.
     */
    public NativeAllocator upTo(long bytes) {
        NativeAllocator part =
                new NativeAllocator(this, Math.min(bytes, limitBytes), usedBytes, usedByTag);
        part.returned.set(true);
        return part;
    }

    /** Returns the allocator that this one's limit was reserved from; itself if it was not. */
    public NativeAllocator root() {
        return parent == null ? this : parent.root();
    }

    /** Gives a reserved limit back as soon as all its pieces are freed. Idempotent. */
    public void release() {
        released.set(true);
        returnIfFree();
    }

    private void returnIfFree() {
        if (parent != null
                && released.get()
                && usedBytes.get() == 0
                && returned.compareAndSet(false, true)) {
            parent.usedBytes.addAndGet(-limitBytes);
        }
    }

    /**
     * A refused request takes nothing, not even for a moment. Another's piece may fit meanwhile.
     */
    private boolean take(long bytes) {
        long used;
        do {
            used = usedBytes.get();
            if (bytes > limitBytes - used) {
                return false;
            }
        } while (!usedBytes.compareAndSet(used, used + bytes));
        return true;
    }

    /**
     * Returns the address of {@code bytes} zero bytes, at a multiple of 64.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY when the limit or the machine refuses
     */
    public long allocate(long bytes, MemoryTag tag) {
        long address = tryAllocate(bytes, tag);
        if (address == 0) {
            throw new WeirException(
                    ErrorCode.OUT_OF_NATIVE_MEMORY,
                    "no native memory for " + bytes + " bytes of " + tag + "; " + inUse(),
                    "raise the memory limit (" + limitBytes + " bytes)");
        }
        return address;
    }

    /** Does the same as {@link #allocate}, but returns 0 instead of throwing. */
    public long tryAllocate(long bytes, MemoryTag tag) {
        if (bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes");
        }
        if (!take(bytes)) {
            return 0;
        }
        long address = isMapped(bytes, tag) ? NativeCode.map(bytes) : zeroed(bytes);
        if (address == 0) {
            usedBytes.addAndGet(-bytes);
            return 0;
        }
        count(bytes, tag);
        return address;
    }

    /** Returns whether such a piece is on pages of its own, which can be moved without a copy. */
    private static boolean isMapped(long bytes, MemoryTag tag) {
        boolean table = tag == MemoryTag.MAP || tag == MemoryTag.TABLE;
        return NativeCode.LOADED && table && bytes >= LARGE_PAGE_BYTES;
    }

    private static long zeroed(long bytes) {
        int boundary = bytes < LARGE_PAGE_BYTES ? LINE_BYTES : LARGE_PAGE_BYTES;
        long raw;
        try {
            raw = UnsafeApi.allocateMemory(bytes + boundary + SPARE_BYTES);
        } catch (OutOfMemoryError refused) {
            return 0;
        }
        // At least 16 bytes lie before it, because malloc's addresses are multiples of 16.
        long address = raw + boundary & -boundary;
        Memory.putLong(address - Long.BYTES, raw);
        Memory.zero(address, bytes);
        return address;
    }

    /** Counts bytes that hold a part of a file from now on; less than 0: no longer. */
    public static void countFileBytes(long bytes) {
        USED_BY_ALL.get(MemoryTag.FILE).addAndGet(bytes);
    }

    private void count(long bytes, MemoryTag tag) {
        usedByTag.get(tag).addAndGet(bytes);
        USED_BY_ALL.get(tag).addAndGet(bytes);
    }

    /**
     * Makes a piece larger. Large pieces of maps and tables keep their pages, so only the growth
     * counts more. Others are copied, and both pieces count meanwhile.
     *
     * @param kept so many of its first bytes stay as they are, and zeros follow
     * @return its address from now on; 0 when the limit or the machine refuses, and nothing has
     *     changed
     */
    public long tryGrow(long address, long bytes, long kept, long newBytes, MemoryTag tag) {
        if (kept > bytes || newBytes < bytes) {
            throw new IllegalArgumentException(kept + " of " + bytes + " bytes to " + newBytes);
        }
        if (!isMapped(bytes, tag)) {
            long copy = tryAllocate(newBytes, tag);
            if (copy != 0) {
                Memory.copy(address, copy, kept);
                free(address, bytes, tag);
            }
            return copy;
        }
        long more = newBytes - bytes;
        if (!take(more)) {
            return 0;
        }
        long moved = NativeCode.remap(address, kept, bytes, newBytes);
        if (moved == 0) {
            usedBytes.addAndGet(-more);
            return 0;
        }
        count(more, tag);
        return moved;
    }

    /** Frees a piece that {@code allocate(bytes, tag)} returned. Address 0 is ignored. */
    public void free(long address, long bytes, MemoryTag tag) {
        if (address != 0) {
            if (isMapped(bytes, tag)) {
                NativeCode.unmap(address, bytes);
            } else {
                UnsafeApi.freeMemory(Memory.getLong(address - Long.BYTES));
            }
            count(-bytes, tag);
            usedBytes.addAndGet(-bytes);
            returnIfFree();
        }
    }

    /**
     * Moves a piece to the account of another allocator, which this one was reserved from. Its
     * holder frees it there.
     *
     * @return whether the other had room; if not, nothing has changed
     */
    public boolean handOver(long bytes, MemoryTag tag, NativeAllocator to) {
        if (usedBytes == to.usedBytes) {
            return true;
        }
        if (!to.take(bytes)) {
            return false;
        }
        to.usedByTag.get(tag).addAndGet(bytes);
        usedByTag.get(tag).addAndGet(-bytes);
        usedBytes.addAndGet(-bytes);
        returnIfFree();
        return true;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long usedBytes() {
        return usedBytes.get();
    }

    public long usedBytes(MemoryTag tag) {
        return usedByTag.get(tag).get();
    }

    /** Returns the bytes of all allocators of this process: 0 when everything has been closed. */
    public static long usedByAllBytes(MemoryTag tag) {
        return USED_BY_ALL.get(tag).get();
    }

    /**
     * Frees nothing. It checks that everything was freed.
     *
     * @throws IllegalStateException a leak, by tag
     */
    @Override
    public void close() {
        if (usedBytes.get() != 0) {
            throw new IllegalStateException("native memory was not freed: " + inUse());
        }
    }

    private String inUse() {
        Map<MemoryTag, Long> inUse = new EnumMap<>(MemoryTag.class);
        usedByTag.forEach(
                (tag, bytes) -> {
                    if (bytes.get() != 0) {
                        inUse.put(tag, bytes.get());
                    }
                });
        return "bytes in use: " + inUse;
    }
}
