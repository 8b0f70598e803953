package io.weir.operators.kernel;

import java.util.Arrays;

/** A growing list of addresses. One thread. */
final class Addresses {
    private long[] addresses = new long[16];
    private int count;

    void add(long address) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, count * 2);
        }
        addresses[count++] = address;
    }

    Addresses copy() {
        Addresses copy = new Addresses();
        copy.addresses = addresses.clone();
        copy.count = count;
        return copy;
    }

    int count() {
        return count;
    }

    long at(int index) {
        return addresses[index];
    }

    /** Sorts the addresses by what lies there. The sort is stable. */
    void sort(AddressSort.Order order) {
        AddressSort.sort(addresses, count, order);
    }
}
