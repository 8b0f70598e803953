package io.weir.operators.map;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.util.Collections;

/**
 * The parts of a map's four-byte counts that no longer fit there, in a map of whole words beside
 * it. That map is made when the first count gets so far.
 */
final class Carries {
    /** The part that is carried at a time. */
    private static final long CARRIED = 1L << Integer.SIZE - 1;

    private final EntryLayout counts;
    private final FlatMap.Maker maker;
    private FlatMap map;

    /**
     * @param counts layout of the map that has the counts
     */
    Carries(EntryLayout counts, FlatMap.Maker maker) {
        this.counts = counts;
        this.maker = maker;
    }

    /**
     * Carries a part of one count.
     *
     * @param key address of whole key words
     * @return how much is lost, because there is no memory
     */
    long add(NativeAllocator allocator, long key, int word) {
        if (map == null && !make(allocator)) {
            return CARRIED;
        }
        long sums = map.findAt(key);
        if (sums == 0) {
            return CARRIED;
        }
        long at = sums + (long) word * Long.BYTES;
        Memory.putLong(at, Memory.getLong(at) + CARRIED);
        return 0;
    }

    private boolean make(NativeAllocator allocator) {
        EntryLayout whole =
                EntryLayout.settled(
                        counts.keyWords(), Collections.nCopies(counts.initialValue().size(), 0L));
        try {
            map = maker.make(allocator, whole, Long.MAX_VALUE, SlotGrowth.FIRST_SLOTS);
            return true;
        } catch (WeirException noMemory) {
            return false;
        }
    }

    /** Adds all of it to a map of whole words. */
    void addTo(FlatMap into) {
        for (long e = map == null ? 0 : map.firstEntry(); e != 0; e = map.nextEntry(e)) {
            into.add(into.findAt(e), e + map.keyBytes());
        }
    }

    long bytes() {
        return map == null ? 0 : map.bytes();
    }

    /** Moves its memory to another account. Returns whether there is room for all. */
    boolean handOver(NativeAllocator to) {
        return map == null || map.handOver(to);
    }

    /** Forgets all; frees the memory. */
    void close() {
        if (map != null) {
            map.close();
            map = null;
        }
    }
}
