package io.weir.ingest.decode;

import java.util.Locale;
import java.util.Map;

/**
 * The number spaces that name the protocol of a frame which is not IP, with the usual names of
 * their best-known values. A {@link #key} is a number and the space that it is from.
 *
 * <p>Sources: the registries of IEEE (EtherTypes, LLC) and IANA (PPP).
 */
public enum Foreign {
    ETHERTYPE("EtherType", EtherTypes.NAMES),
    PPP(
            "PPP protocol",
            Map.of(
                    0xC021, "LCP",
                    0xC023, "PAP",
                    0xC223, "CHAP",
                    0x8021, "IPCP",
                    0x8057, "IPV6CP",
                    0x80FD, "CCP",
                    0x00FD, "compressed",
                    0x002D, "compressed TCP/IP",
                    0x002F, "uncompressed TCP/IP",
                    0x003D, "multilink")),
    LLC(
            "LLC",
            Map.of(
                    0x4242, "STP",
                    0xFEFE, "IS-IS",
                    0xF0F0, "NetBIOS",
                    0xE0E0, "IPX",
                    0xFFFF, "IPX",
                    0x0606, "IP without SNAP",
                    0xAAAA, "SNAP of a vendor")),
    /** Where only the first four bits of what should be IP tell what it is. */
    VERSION("IP version", Map.of());

    private static final Foreign[] ALL = values();
    private static final int SPACE_SHIFT = 16;

    private final String space;
    private final Map<Integer, String> names;

    Foreign(String space, Map<Integer, String> names) {
        this.space = space;
        this.names = names;
    }

    int key(int protocol) {
        return ordinal() << SPACE_SHIFT | protocol;
    }

    /** A key for people: {@code EtherType 0x88cc (LLDP)}. */
    public static String text(int key) {
        Foreign of = ALL[key >>> SPACE_SHIFT];
        int protocol = key & 0xFFFF;
        if (of == VERSION) {
            return of.space + " " + protocol;
        }
        String name = of.names.get(protocol);
        return String.format(Locale.ROOT, "%s 0x%04x", of.space, protocol)
                + (name == null ? "" : " (" + name + ")");
    }
}
