package io.weir.operators.graph;

/**
 * Event-time windows [k·slide + offset, k·slide + offset + size). TUMBLE has size = slide.
 *
 * @param sizeNs over 0
 * @param slideNs over 0 and at most size
 * @param offsetNs from the epoch to the start of a window; it is kept from 0 to below the slide
 */
public record Window(long sizeNs, long slideNs, long offsetNs) {
    public Window {
        if (slideNs <= 0 || sizeNs < slideNs) {
            throw new IllegalArgumentException("window of " + sizeNs + " ns by " + slideNs);
        }
        offsetNs = Math.floorMod(offsetNs, slideNs);
    }

    /** Makes windows that are aligned to the epoch. */
    public Window(long sizeNs, long slideNs) {
        this(sizeNs, slideNs, 0);
    }

    public static Window tumble(long sizeNs) {
        return new Window(sizeNs, sizeNs);
    }

    /** Width of the panes that windows are made of: each window is a whole number of them. */
    public long paneNs() {
        long a = sizeNs;
        long b = slideNs;
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    public int panesPerWindow() {
        return Math.toIntExact(sizeNs / paneNs());
    }
}
