package io.weir.operators.kernel;

/**
 * Stable sorts of addresses, in order of what lies there. One merges, and compares in memory. The
 * other deals out by the bytes of a word, and reads memory once. Stateless.
 */
final class AddressSort {
    private static final int RUN = 12;
    private static final int VALUES = 1 << Byte.SIZE;

    private AddressSort() {}

    /** Compares what lies at two addresses. */
    interface Order {
        int compare(long left, long right);
    }

    /** Sorts the first {@code count}. */
    static void sort(long[] addresses, int count, Order order) {
        for (int from = 0; from < count; from += RUN) {
            insertionSort(addresses, from, Math.min(count, from + RUN), order);
        }
        long[] source = addresses;
        long[] target = new long[count];
        for (long width = RUN; width < count; width *= 2) {
            for (long from = 0; from < count; from += 2 * width) {
                int middle = (int) Math.min(count, from + width);
                int end = (int) Math.min(count, from + 2 * width);
                merge(source, target, (int) from, middle, end, order);
            }
            long[] swapped = source;
            source = target;
            target = swapped;
        }
        if (source != addresses) {
            System.arraycopy(source, 0, addresses, 0, count);
        }
    }

    /**
     * Sorts the first {@code count} by an unsigned word of each.
     *
     * @param words of the addresses, which are sorted with them
     */
    static void sortByWords(long[] addresses, long[] words, int count) {
        long[][] from = {addresses, words};
        long[][] to = {new long[count], new long[count]};
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            int[] ends = ends(from[1], count, shift);
            if (ends != null) {
                deal(from, to, ends, count, shift);
                long[][] swapped = from;
                from = to;
                to = swapped;
            }
        }
        if (from[0] != addresses) {
            System.arraycopy(from[0], 0, addresses, 0, count);
            System.arraycopy(from[1], 0, words, 0, count);
        }
    }

    /** Returns where the words of each byte end; null if all have the same one. */
    private static int[] ends(long[] words, int count, int shift) {
        int[] ends = new int[VALUES];
        for (int i = 0; i < count; i++) {
            ends[(int) (words[i] >>> shift) & VALUES - 1]++;
        }
        for (int value = 0, sum = 0; value < VALUES; value++) {
            if (ends[value] == count) {
                return null;
            }
            sum += ends[value];
            ends[value] = sum;
        }
        return ends;
    }

    private static void deal(long[][] from, long[][] to, int[] ends, int count, int shift) {
        long[] words = from[1];
        for (int i = count - 1; i >= 0; i--) {
            int place = --ends[(int) (words[i] >>> shift) & VALUES - 1];
            to[0][place] = from[0][i];
            to[1][place] = words[i];
        }
    }

    private static void insertionSort(long[] addresses, int from, int end, Order order) {
        for (int i = from + 1; i < end; i++) {
            long moved = addresses[i];
            int j = i;
            for (; j > from && order.compare(addresses[j - 1], moved) > 0; j--) {
                addresses[j] = addresses[j - 1];
            }
            addresses[j] = moved;
        }
    }

    private static void merge(
            long[] source, long[] target, int from, int middle, int end, Order order) {
        int left = from;
        int right = middle;
        for (int i = from; i < end; i++) {
            boolean takeLeft =
                    right >= end
                            || left < middle && order.compare(source[left], source[right]) <= 0;
            target[i] = takeLeft ? source[left++] : source[right++];
        }
    }
}
