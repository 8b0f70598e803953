package io.weir.operators.kernel;

import io.weir.operators.memory.Memory;
import java.util.Arrays;

/** A growing list of addresses. One thread. */
final class Addresses {
    /** From so many on, bytes are compared and not words of memory. */
    private static final int MANY = 512;

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

    /** Sorts the addresses of groups by their keys. */
    void sortByKeys(KeyOrder order) {
        if (count < MANY || !order.isByWords()) {
            AddressSort.sort(addresses, count, order);
            return;
        }
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = Memory.getLong(addresses[i]);
        }
        AddressSort.sortByWords(addresses, words, count);
        if (order.words() > 1) {
            sortEqual(words, order);
        }
    }

    /** Sorts each run of the same first word. */
    private void sortEqual(long[] words, KeyOrder order) {
        int from = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || words[i] != words[from]) {
                if (i - from > 1) {
                    long[] run = Arrays.copyOfRange(addresses, from, i);
                    AddressSort.sort(run, run.length, order);
                    System.arraycopy(run, 0, addresses, from, run.length);
                }
                from = i;
            }
        }
    }

    /** Sorts the addresses, of which only the first so many stay. The sort is stable. */
    void sort(AddressSort.Order order, long most) {
        if (most >= count / 2) {
            sort(order);
            count = (int) Math.min(count, most);
            return;
        }
        int first = Math.max(1, (int) most);
        long[] best = new long[2 * first];
        int kept = 0;
        long worst = 0;
        for (int i = 0; i < count; i++) {
            if (worst == 0 || order.compare(addresses[i], worst) < 0) {
                best[kept++] = addresses[i];
            }
            if (kept == best.length) {
                AddressSort.sort(best, kept, order);
                kept = first;
                worst = best[first - 1];
            }
        }
        AddressSort.sort(best, kept, order);
        addresses = best;
        count = (int) Math.min(kept, most);
    }
}
