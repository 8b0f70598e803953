package io.weir.ingest.decode;

import java.util.Locale;

/**
 * The reason why a frame has no row in {@code packets}. Its {@link #label} is its name in the
 * account.
 */
public enum Exclusion {
    ARP(0),
    /** Another protocol than IP, or none that the link layer names. */
    NOT_IP(1),
    UNKNOWN_LINK_TYPE(2),
    /** The captured bytes end inside the link header, a tag, a label, or that of PPPoE or LLC. */
    L2_CUT(3),
    /** The link layer says IP of one version, the header's version nibble another. */
    IP_VERSION(4),
    /** IPv4 header length below 20 bytes. */
    IP_HEADER_LENGTH(5),
    /** The captured bytes end inside the fixed part of the IP header. */
    IP_CUT(6),
    /** An 802.11 frame whose payload is encrypted. */
    ENCRYPTED(7),
    /** An 802.11 frame that holds a later part of a packet. */
    WLAN_FRAGMENT(8),
    /** An 802.11 frame that holds several packets. */
    WLAN_AGGREGATE(9);

    private static final Exclusion[] ALL = values();

    private final int code;
    private final String label;

    Exclusion(int code) {
        this.code = code;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the code, from 0 without gaps. */
    public int code() {
        return code;
    }

    /** Returns the label in lower snake case. */
    public String label() {
        return label;
    }

    /** Returns the exclusion of a code of {@link PacketDecoder#decode} that is not IP_PACKET. */
    public static Exclusion of(int code) {
        return ALL[code];
    }

    public static int count() {
        return ALL.length;
    }
}
