package io.weir.operators.graph;

/**
 * Event-time windows [k·slide + offset, k·slide + offset + size). TUMBLE has size = slide.
 *
 * @param sizeNs over 0
 * @param slideNs over 0 and at most size
 * @param offsetNs from the epoch to the start of a window; it is kept from 0 to below the slide
 * @param rows which windows, and which groups of them, have rows
 */
public record Window(long sizeNs, long slideNs, long offsetNs, WindowRows rows) {
    public Window {
        if (slideNs <= 0 || sizeNs < slideNs) {
            throw new IllegalArgumentException("window of " + sizeNs + " ns by " + slideNs);
        }
        offsetNs = Math.floorMod(offsetNs, slideNs);
    }

    /** Makes windows that have rows if they have packets. */
    public Window(long sizeNs, long slideNs, long offsetNs) {
        this(sizeNs, slideNs, offsetNs, WindowRows.FILLED);
    }

    /** Makes windows that are aligned to the epoch. */
    public Window(long sizeNs, long slideNs) {
        this(sizeNs, slideNs, 0);
    }

    public static Window tumble(long sizeNs) {
        return new Window(sizeNs, sizeNs);
    }

    /**
     * Makes sessions that end with a pause of this length. Packets in one window of that length are
     * of one session.
     */
    public static Window sessions(long gapNs) {
        return new Window(gapNs, gapNs, 0, WindowRows.SESSIONS);
    }

    /** Returns the same windows with other rows. */
    public Window with(WindowRows others) {
        return new Window(sizeNs, slideNs, offsetNs, others);
    }

    /** Returns whether rows are of sessions. */
    public boolean isOfSessions() {
        return rows.form() == WindowRows.Form.SESSIONS;
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
