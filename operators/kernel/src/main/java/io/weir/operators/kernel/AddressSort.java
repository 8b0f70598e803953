package io.weir.operators.kernel;

/** A stable merge sort of addresses, in order of what lies there. Stateless. */
final class AddressSort {
    private static final int RUN = 12;

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
