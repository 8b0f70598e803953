package io.weir.ingest.capture;

/**
 * The reason why the reading of a capture file ended. All but {@link #WHOLE} leave a part unread.
 */
public enum Ending {
    /** There is more to read. */
    NONE("not at its end"),
    WHOLE("whole"),
    CUT_RECORD("cut off in mid-record"),
    DAMAGED_COMPRESSION("the compressed data is cut off or damaged"),
    OVERWRITTEN("overwritten or cut before it was read to its end"),
    IMPOSSIBLE_LENGTH("a record declares an impossible length"),
    UNKNOWN_INTERFACE("a packet names an interface that was not described"),
    TOO_MANY_INTERFACES("more interfaces than a section may have"),
    UNKNOWN_VERSION("a section of an unknown version");

    private final String text;

    Ending(String text) {
        this.text = text;
    }

    /** Returns the reason in words, for a sentence about a file. */
    public String text() {
        return text;
    }
}
