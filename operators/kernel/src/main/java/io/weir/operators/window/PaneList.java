package io.weir.operators.window;

import java.util.Arrays;

/** The open panes of a query in order of time: a bounded sorted array. One thread. */
final class PaneList {
    static final int LIMIT = 1 << 15;

    private static final int FIRST_CAPACITY = 16;

    private long[] startsNs = new long[FIRST_CAPACITY];
    private Tables[] panes = new Tables[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    boolean isFull() {
        return size == LIMIT;
    }

    long startNs(int index) {
        return startsNs[index];
    }

    Tables pane(int index) {
        return panes[index];
    }

    /** Returns the pane that starts at this time, or null. */
    Tables find(long startNs) {
        int at = indexOf(startNs);
        return at >= 0 ? panes[at] : null;
    }

    private int indexOf(long startNs) {
        if (size > 0 && startsNs[size - 1] == startNs) {
            return size - 1;
        }
        return Arrays.binarySearch(startsNs, 0, size, startNs);
    }

    /** Adds a pane that is not there yet. */
    void insert(long startNs, Tables pane) {
        if (size == panes.length) {
            startsNs = Arrays.copyOf(startsNs, size * 2);
            panes = Arrays.copyOf(panes, size * 2);
        }
        int at = -1 - indexOf(startNs);
        System.arraycopy(startsNs, at, startsNs, at + 1, size - at);
        System.arraycopy(panes, at, panes, at + 1, size - at);
        startsNs[at] = startNs;
        panes[at] = pane;
        size++;
    }

    /** Forgets the first panes; the caller has closed them or passed them on. */
    void removeFirst(int count) {
        System.arraycopy(startsNs, count, startsNs, 0, size - count);
        System.arraycopy(panes, count, panes, 0, size - count);
        Arrays.fill(panes, size - count, size, null);
        size -= count;
    }
}
