package io.weir.ingest.decode;

import java.util.Locale;
import java.util.Map;

/**
 * The number spaces for the protocol of a frame which is not IP, with the usual names of the
 * best-known values. A {@link #key} is a number with its space.
 *
 * <p>Sources: the registries of IEEE (EtherTypes, LLC, 802.11) and IANA (PPP).
 */
public enum Foreign {
    ETHERTYPE(0, "EtherType"),
    PPP(1, "PPP protocol"),
    LLC(2, "LLC"),
    /** The first four bits of a supposed IP header, which alone give its version. */
    VERSION(3, "IP version"),
    /** Version, type and subtype of an 802.11 frame, as they stand in its first byte. */
    WLAN(4, "802.11 frame");

    private static final Foreign[] ALL = values();
    private static final int SPACE_SHIFT = 16;

    private final int code;
    private final String space;

    Foreign(int code, String space) {
        this.code = code;
        this.space = space;
    }

    int key(int protocol) {
        return code << SPACE_SHIFT | protocol;
    }

    /** Returns a key for people: {@code EtherType 0x88cc (LLDP)}. */
    public static String text(int key) {
        Foreign of = ALL[key >>> SPACE_SHIFT];
        int protocol = key & 0xFFFF;
        if (of == VERSION) {
            return of.space + " " + protocol;
        }
        String name = of.names().get(protocol);
        return String.format(Locale.ROOT, "%s 0x%04x", of.space, protocol)
                + (name == null ? "" : " (" + name + ")");
    }

    private Map<Integer, String> names() {
        return switch (this) {
            case ETHERTYPE -> ProtocolNames.ETHERTYPES;
            case PPP -> ProtocolNames.PPP;
            case LLC -> ProtocolNames.LLC;
            case WLAN -> ProtocolNames.WLAN;
            case VERSION -> Map.of();
        };
    }
}
