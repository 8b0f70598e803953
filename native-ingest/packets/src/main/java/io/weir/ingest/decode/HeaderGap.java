package io.weir.ingest.decode;

import java.util.Locale;

/**
 * The reason why a counted packet lacks some of its columns: one of its headers could be read only
 * in part. Its {@link #label} is its name in the account.
 */
public enum HeaderGap {
    NONE(0),
    /** The captured bytes end inside the transport header, or before it. */
    TRANSPORT_CUT(1),
    /** The IP length ends inside the transport header, or before it. */
    TRANSPORT_SHORT(2),
    /** A {@link #TRANSPORT_SHORT} of a first fragment: a later one has the rest of the header. */
    TINY_FIRST_FRAGMENT(3),
    /** The first fragment has the transport header. */
    LATER_FRAGMENT(4),
    /** The captured bytes end inside an extension header of IPv6. */
    EXTENSIONS_CUT(5);

    private static final HeaderGap[] ALL = values();

    private final int code;
    private final String label;

    HeaderGap(int code) {
        this.code = code;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the code, from 0 without gaps; that of {@link #NONE} is 0. */
    public int code() {
        return code;
    }

    /** Returns the label in lower snake case. */
    public String label() {
        return label;
    }

    /** Returns the gap of a code of {@link PacketHeaders#gap}. */
    public static HeaderGap of(int code) {
        return ALL[code];
    }

    public static int count() {
        return ALL.length;
    }
}
