package io.weir.operators.graph;

/**
 * Tells which windows, and which groups of them, have rows.
 *
 * @param form of the rule
 * @param windows with {@link Form#KEPT}: for so many windows after its last packet a group has rows
 *     without packets. Otherwise 0
 */
public record WindowRows(Form form, long windows) {
    /** The most windows in which a group without packets has rows. */
    public static final long MOST_WINDOWS = 1_000_000;

    /** A group has a row in a window in which it has packets. */
    public static final WindowRows FILLED = new WindowRows(Form.FILLED, 0);

    /** The one group has a row in each window. */
    public static final WindowRows ALL = new WindowRows(Form.ALL, 0);

    /**
     * A row is of a session: packets of a group between which no pause is as long as a window. The
     * groups of a window then are parts of sessions.
     */
    public static final WindowRows SESSIONS = new WindowRows(Form.SESSIONS, 0);

    /** The rules that there are. */
    public enum Form {
        FILLED,
        ALL,
        KEPT,
        SESSIONS
    }

    public WindowRows {
        boolean kept = form == Form.KEPT;
        if (windows < (kept ? 1 : 0) || windows > (kept ? MOST_WINDOWS : 0)) {
            throw new IllegalArgumentException(form + " of " + windows + " windows");
        }
    }

    /** A group has rows, too, for so many windows after its last packet. */
    public static WindowRows kept(long windows) {
        return new WindowRows(Form.KEPT, windows);
    }

    /** Returns whether a window without packets can have rows. */
    public boolean needsEmptyWindows() {
        return form != Form.FILLED;
    }
}
