package io.weir.operators.table;

import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.Arrays;

/**
 * Prefixes hashed by length. A search halves the lengths that there are. If a longer prefix may
 * follow, an entry says so (a marker), and has the best row so far. The method is by Waldvogel,
 * Varghese, Turner and Plattner (SIGCOMM 1997). So one of 33 lengths takes at most six probes.
 * Addresses lie at the left of 128 bits. Once it is made, any thread reads it.
 *
 * <pre>
 *   slot: long high, long low, int 1 + place of the length (0: free), int row (0: none)
 * </pre>
 */
final class PrefixHash implements AutoCloseable {
    private static final int SLOT_BYTES = 24;
    private static final int LENGTH = 16;
    private static final int ROW = 20;
    private static final int UNKNOWN = -1;

    private final NativeAllocator allocator;
    private final int[] lengths;
    private final int used;
    private long slots;
    private final long mask;

    /** Prefixes in the order in which they came. */
    static final class Prefixes {
        private long[] high = new long[16];
        private long[] low = new long[16];
        private byte[] bits = new byte[16];
        private int[] rows = new int[16];
        private int count;

        void add(long highWord, long lowWord, int length, int row) {
            if (count == rows.length) {
                high = Arrays.copyOf(high, 2 * count);
                low = Arrays.copyOf(low, 2 * count);
                bits = Arrays.copyOf(bits, 2 * count);
                rows = Arrays.copyOf(rows, 2 * count);
            }
            high[count] = highWord;
            low[count] = lowWord;
            bits[count] = (byte) length;
            rows[count++] = row;
        }

        int count() {
            return count;
        }

        long high(int prefix) {
            return high[prefix];
        }

        int bits(int prefix) {
            return bits[prefix] & 0xFF;
        }

        int row(int prefix) {
            return rows[prefix];
        }

        private int[] lengths() {
            boolean[] there = new boolean[129];
            int many = 0;
            for (int p = 0; p < count; p++) {
                many += there[bits(p)] ? 0 : 1;
                there[bits(p)] = true;
            }
            int[] all = new int[many];
            int next = 0;
            for (int b = 0; b < there.length; b++) {
                if (there[b]) {
                    all[next++] = b;
                }
            }
            return all;
        }
    }

    PrefixHash(NativeAllocator allocator, Prefixes prefixes) {
        this.allocator = allocator;
        lengths = prefixes.lengths();
        int markers = 0;
        for (int p = 0; p < prefixes.count(); p++) {
            markers += markersOf(place(prefixes.bits(p)));
        }
        used = prefixes.count() + markers;
        mask = Long.highestOneBit(Math.max(4, used + used / 2)) * 2 - 1;
        slots = used == 0 ? 0 : allocator.allocate(bytes(), MemoryTag.TABLE);
        for (int p = 0; p < prefixes.count(); p++) {
            int place = place(prefixes.bits(p));
            long slot = put(prefixes.high[p], prefixes.low[p], place);
            Memory.putInt(slot + ROW, prefixes.row(p));
            addMarkers(prefixes.high[p], prefixes.low[p], place);
        }
        for (int place = 0; place < lengths.length; place++) {
            settle(place);
        }
    }

    long bytes() {
        return used == 0 ? 0 : (mask + 1) * SLOT_BYTES;
    }

    private int place(int bits) {
        return Arrays.binarySearch(lengths, bits);
    }

    private int markersOf(int place) {
        int markers = 0;
        int from = 0;
        int to = lengths.length - 1;
        for (int middle = (from + to) >>> 1; middle != place; middle = (from + to) >>> 1) {
            if (middle < place) {
                markers++;
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return markers;
    }

    /** Adds an entry at each shorter length that a search for the prefix meets. */
    private void addMarkers(long high, long low, int place) {
        int from = 0;
        int to = lengths.length - 1;
        for (int middle = (from + to) >>> 1; middle != place; middle = (from + to) >>> 1) {
            if (middle < place) {
                long slot = put(high, low, middle);
                if (Memory.getInt(slot + ROW) == 0) {
                    Memory.putInt(slot + ROW, UNKNOWN);
                }
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
    }

    /** Gives the markers of a length their row. Shorter markers have their rows already. */
    private void settle(int place) {
        for (long s = 0; s <= mask; s++) {
            long slot = slots + s * SLOT_BYTES;
            if (Memory.getInt(slot + LENGTH) == place + 1 && Memory.getInt(slot + ROW) == UNKNOWN) {
                Memory.putInt(slot + ROW, shorter(slot, place));
            }
        }
    }

    /** Returns the row of the longest prefix of a marker. */
    private int shorter(long slot, int place) {
        long high = Memory.getLong(slot);
        long low = Memory.getLong(slot + Long.BYTES);
        int best = 0;
        int from = 0;
        int to = lengths.length - 1;
        for (int middle = (from + to) >>> 1; middle != place; middle = (from + to) >>> 1) {
            if (middle < place) {
                int row = Memory.getInt(slotOf(high, low, middle) + ROW);
                best = row == 0 ? best : row;
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return find(high, low, best, from, place - 1);
    }

    private long put(long high, long low, int place) {
        long slot = slotOf(high, low, place);
        if (Memory.getInt(slot + LENGTH) == 0) {
            Memory.putLong(slot, high & highMask(lengths[place]));
            Memory.putLong(slot + Long.BYTES, low & lowMask(lengths[place]));
            Memory.putInt(slot + LENGTH, place + 1);
        }
        return slot;
    }

    private static long highMask(int bits) {
        return bits == 0 ? 0 : bits >= Long.SIZE ? -1L : -1L << Long.SIZE - bits;
    }

    private static long lowMask(int bits) {
        return bits <= Long.SIZE ? 0 : -1L << 2 * Long.SIZE - bits;
    }

    /** Returns the slot of a prefix, or the free one where it would be. */
    private long slotOf(long high, long low, int place) {
        int bits = lengths[place];
        long first = high & highMask(bits);
        long second = low & lowMask(bits);
        long slot = Hash.mix(Hash.of(first, second), place) & mask;
        long at = slots + slot * SLOT_BYTES;
        int length = Memory.getInt(at + LENGTH);
        while (length != 0
                && (length != place + 1
                        || Memory.getLong(at) != first
                        || Memory.getLong(at + Long.BYTES) != second)) {
            slot = slot + 1 & mask;
            at = slots + slot * SLOT_BYTES;
            length = Memory.getInt(at + LENGTH);
        }
        return at;
    }

    /**
     * Returns the row of the longest prefix.
     *
     * @param otherwise if there is none
     */
    int find(long high, long low, int otherwise) {
        return find(high, low, otherwise, 0, lengths.length - 1);
    }

    private int find(long high, long low, int otherwise, int first, int last) {
        int best = otherwise;
        int from = first;
        int to = last;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            long slot = slotOf(high, low, middle);
            if (Memory.getInt(slot + LENGTH) == 0) {
                to = middle - 1;
            } else {
                int row = Memory.getInt(slot + ROW);
                best = row == 0 ? best : row;
                from = middle + 1;
            }
        }
        return best;
    }

    @Override
    public void close() {
        allocator.free(slots, bytes(), MemoryTag.TABLE);
        slots = 0;
    }
}
