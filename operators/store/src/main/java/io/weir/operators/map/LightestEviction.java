package io.weir.operators.map;

import io.weir.operators.memory.Memory;
import java.util.Arrays;

/**
 * Takes the lightest entries out of a map of whole words, so that the heaviest have room. This is
 * Misra and Gries' rule, for many entries at once.
 *
 * <p>An entry's <em>rest</em> is its weight less its credit. The entries with the least rests are
 * removed until the wanted number stays. The greatest rest among them, {@code t}, is added to the
 * credit of those that stay. The sum of all {@code t} so far is the map's <em>floor</em>. A removed
 * key had no more weight than the floor at that time. A key that came back lacks no more than that,
 * which is the floor less its credit. A key that is absent has no more than the floor. Each entry
 * that stays has a rest of at least {@code t}. So the floor is at most the weight of all packets,
 * divided by the least number of entries.
 *
 * <p>One thread. Takes a few passes over the table, and moves entries.
 */
public final class LightestEviction {
    private static final int DIGIT_BITS = 8;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private final int weightWord;
    private final int creditWord;
    private final int packetsWord;
    private final int[] counts = new int[DIGITS];

    private FlatMap map;
    private long first;
    private long end;

    /** Entries with a smaller rest are removed, and some of those with an equal one. */
    private long threshold;

    /** The number of rests equal to the threshold, and how many of them are removed. */
    private int equals;

    private int equalsToGo;

    /** The running share of the equals seen so far; below {@link #equals}. */
    private long share;

    private long packets;

    /**
     * @param weightWord the value word that only ever grows
     * @param creditWord the value word that belongs to this class
     * @param packetsWord the value word that counts the packets
     */
    public LightestEviction(int weightWord, int creditWord, int packetsWord) {
        this.weightWord = weightWord;
        this.creditWord = creditWord;
        this.packetsWord = packetsWord;
    }

    /**
     * Removes entries until so many stay. It does nothing if there are no more.
     *
     * @return by how much the map's floor has risen
     */
    public long take(FlatMap from, int stay) {
        packets = 0;
        if (from.size() <= stay) {
            return 0;
        }
        map = from;
        first = from.table;
        end = from.end();
        select(from.size() - stay);
        long rise = threshold;
        long zero = from.zeroEntry();
        if (zero != 0 && goes(zero)) {
            packets += word(zero, packetsWord);
            from.remove(zero + from.keyBytes);
        } else if (zero != 0) {
            credit(zero, rise);
        }
        sweep(rise);
        map = null;
        return rise;
    }

    /** Returns the packets of the groups that the last {@link #take} removed. */
    public long packets() {
        return packets;
    }

    public int packetsWord() {
        return packetsWord;
    }

    /** Returns the packets of all groups of a map of whole words. */
    public long packetsOf(FlatMap groups) {
        long sum = 0;
        for (long entry = groups.firstEntry(); entry != 0; entry = groups.nextEntry(entry)) {
            sum += packetsOf(entry + groups.keyBytes);
        }
        return sum;
    }

    /** Returns the packets of a group, by the address of its value words. */
    public long packetsOf(long value) {
        return Memory.getLong(value + (long) packetsWord * Long.BYTES);
    }

    /**
     * Raises the credit of a map's entries with its floor, so that they lack no more than before.
     */
    public void creditAll(FlatMap groups, long rise) {
        Credits.add(groups, creditWord, rise);
    }

    private long word(long entry, int word) {
        return Memory.getLong(entry + map.keyBytes + (long) word * Long.BYTES);
    }

    private long rest(long entry) {
        return word(entry, weightWord) - word(entry, creditWord);
    }

    private void credit(long entry, long rise) {
        long at = entry + map.keyBytes + (long) creditWord * Long.BYTES;
        Memory.putLong(at, Memory.getLong(at) + rise);
    }

    private boolean goes(long entry) {
        long rest = rest(entry);
        return rest < threshold || rest == threshold && equalGoes();
    }

    /**
     * Chooses equals from all over the table. If the removed ones were all in the first slots, the
     * rest of the table would stay full. The next keys would then need very long probes.
     */
    private boolean equalGoes() {
        share += equalsToGo;
        boolean goes = share >= equals;
        share -= goes ? equals : 0;
        return goes;
    }

    /** Finds the {@code nth} least rest, from 1, digit by digit. */
    private void select(int nth) {
        long most = 0;
        for (long entry = first; entry <= end; entry += map.stride) {
            most |= isThere(entry) ? rest(entry) : 0;
        }
        int shift = (Long.SIZE - Long.numberOfLeadingZeros(most | 1) - 1) / DIGIT_BITS * DIGIT_BITS;
        long prefix = 0;
        int left = nth;
        for (; shift >= 0; shift -= DIGIT_BITS) {
            count(prefix, shift);
            int digit = 0;
            while (counts[digit] < left) {
                left -= counts[digit++];
            }
            prefix = prefix << DIGIT_BITS | digit;
        }
        threshold = prefix;
        equals = counts[(int) prefix & DIGITS - 1];
        equalsToGo = left;
        share = 0;
    }

    /** Counts the rests with this prefix by their next digit. */
    private void count(long prefix, int shift) {
        Arrays.fill(counts, 0);
        for (long entry = first; entry <= end; entry += map.stride) {
            if (isThere(entry)) {
                long digits = rest(entry) >>> shift;
                if (digits >>> DIGIT_BITS == prefix) {
                    counts[(int) digits & DIGITS - 1]++;
                }
            }
        }
    }

    private boolean isThere(long entry) {
        return entry == end ? map.zeroEntry() != 0 : !map.isEmpty(entry);
    }

    /**
     * Sweeps from an empty slot all around the table, so that entries can move up into the gaps.
     */
    private void sweep(long rise) {
        long start = first;
        while (!map.isEmpty(start)) {
            start += map.stride;
        }
        boolean gaps = false;
        int gone = 0;
        for (long entry = map.nextSlot(start); entry != start; entry = map.nextSlot(entry)) {
            if (map.isEmpty(entry)) {
                gaps = false;
            } else if (goes(entry)) {
                packets += word(entry, packetsWord);
                Memory.zero(entry, map.stride);
                gone++;
                gaps = true;
            } else {
                credit(entry, rise);
                if (gaps) {
                    map.place(entry);
                }
            }
        }
        map.fewer(gone);
    }
}
