package io.weir.ingest.decode;

import java.util.Map;

/** The usual names of the most common protocols. */
final class ProtocolNames {
    static final Map<Integer, String> ETHERTYPES =
            Map.ofEntries(
                    Map.entry(0x0806, "ARP"),
                    Map.entry(0x0842, "Wake-on-LAN"),
                    Map.entry(0x2000, "CDP"),
                    Map.entry(0x22EB, "ERSPAN III"),
                    Map.entry(0x22EA, "SRP"),
                    Map.entry(0x22F3, "TRILL"),
                    Map.entry(0x6002, "DEC MOP"),
                    Map.entry(0x6003, "DECnet"),
                    Map.entry(0x6558, "Ethernet bridging"),
                    Map.entry(0x8035, "RARP"),
                    Map.entry(0x809B, "AppleTalk"),
                    Map.entry(0x80F3, "AppleTalk ARP"),
                    Map.entry(0x8137, "IPX"),
                    Map.entry(0x8808, "pause frames"),
                    Map.entry(0x8809, "LACP and other slow protocols"),
                    Map.entry(0x8863, "PPPoE discovery"),
                    Map.entry(0x886D, "Intel ANS probes"),
                    Map.entry(0x887B, "HomePlug"),
                    Map.entry(0x888E, "802.1X"),
                    Map.entry(0x8892, "PROFINET"),
                    Map.entry(0x8899, "Realtek loop detection"),
                    Map.entry(0x88A2, "ATA over Ethernet"),
                    Map.entry(0x88A4, "EtherCAT"),
                    Map.entry(0x88AB, "POWERLINK"),
                    Map.entry(0x88B8, "GOOSE"),
                    Map.entry(0x88BA, "IEC 61850 sampled values"),
                    Map.entry(0x88BE, "ERSPAN II"),
                    Map.entry(0x88CC, "LLDP"),
                    Map.entry(0x88CD, "SERCOS III"),
                    Map.entry(0x88E1, "HomePlug AV"),
                    Map.entry(0x88E5, "MACsec"),
                    Map.entry(0x88E7, "provider backbone bridging"),
                    Map.entry(0x88F5, "MVRP"),
                    Map.entry(0x88F7, "PTP"),
                    Map.entry(0x88FB, "PRP"),
                    Map.entry(0x8902, "CFM"),
                    Map.entry(0x8906, "FCoE"),
                    Map.entry(0x890D, "TDLS"),
                    Map.entry(0x8914, "FCoE initialization"),
                    Map.entry(0x8915, "RoCE"),
                    Map.entry(0x892F, "HSR"),
                    Map.entry(0x893A, "IEEE 1905"),
                    Map.entry(0x894F, "NSH"),
                    Map.entry(0x9000, "loopback test"));

    static final Map<Integer, String> PPP =
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
                    0x003D, "multilink");

    static final Map<Integer, String> LLC =
            Map.of(
                    0x4242, "STP",
                    0xFEFE, "IS-IS",
                    0xF0F0, "NetBIOS",
                    0xE0E0, "IPX",
                    0xFFFF, "IPX",
                    0x0606, "IP without SNAP",
                    0xAAAA, "SNAP of a vendor");

    /** Keys have the subtype in their upper four bits, the type in the two bits below. */
    static final Map<Integer, String> WLAN =
            Map.ofEntries(
                    Map.entry(0x00, "association request"),
                    Map.entry(0x10, "association response"),
                    Map.entry(0x40, "probe request"),
                    Map.entry(0x50, "probe response"),
                    Map.entry(0x80, "beacon"),
                    Map.entry(0xA0, "disassociation"),
                    Map.entry(0xB0, "authentication"),
                    Map.entry(0xC0, "deauthentication"),
                    Map.entry(0xD0, "action"),
                    Map.entry(0x84, "block acknowledgement request"),
                    Map.entry(0x94, "block acknowledgement"),
                    Map.entry(0xA4, "power-save poll"),
                    Map.entry(0xB4, "request to send"),
                    Map.entry(0xC4, "clear to send"),
                    Map.entry(0xD4, "acknowledgement"),
                    Map.entry(0x48, "null data"),
                    Map.entry(0xC8, "null data with QoS"));

    private ProtocolNames() {}
}
