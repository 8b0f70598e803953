package io.weir.ingest.decode;

import java.util.Map;

/**
 * The names of link types that Weir does not read, for people.
 *
 * <p>Source: the LINKTYPE_ registry of tcpdump.org.
 */
public final class LinkTypes {
    private static final Map<Integer, String> NAMES =
            Map.ofEntries(
                    Map.entry(3, "AX.25"),
                    Map.entry(6, "Token Ring"),
                    Map.entry(7, "ARCNET"),
                    Map.entry(8, "SLIP"),
                    Map.entry(10, "FDDI"),
                    Map.entry(99, "Symantec firewall"),
                    Map.entry(100, "ATM RFC 1483"),
                    Map.entry(107, "Frame Relay"),
                    Map.entry(109, "IPsec of OpenBSD"),
                    Map.entry(114, "LocalTalk"),
                    Map.entry(117, "OpenBSD pf log"),
                    Map.entry(119, "802.11 with Prism header"),
                    Map.entry(122, "IP over Fibre Channel"),
                    Map.entry(123, "ATM"),
                    Map.entry(129, "ARCNET of Linux"),
                    Map.entry(138, "IP over FireWire"),
                    Map.entry(139, "SS7 MTP2 with pseudo-header"),
                    Map.entry(140, "SS7 MTP2"),
                    Map.entry(141, "SS7 MTP3"),
                    Map.entry(142, "SCCP"),
                    Map.entry(143, "DOCSIS"),
                    Map.entry(144, "IrDA"),
                    Map.entry(163, "802.11 with AVS header"),
                    Map.entry(166, "PPP of pppd"),
                    Map.entry(169, "GPRS LLC"),
                    Map.entry(177, "LAPD"),
                    Map.entry(187, "Bluetooth HCI"),
                    Map.entry(189, "USB of Linux"),
                    Map.entry(192, "PPI"),
                    Map.entry(195, "802.15.4"),
                    Map.entry(201, "Bluetooth HCI with direction"),
                    Map.entry(203, "LAPD with direction"),
                    Map.entry(204, "PPP with direction"),
                    Map.entry(205, "Cisco HDLC with direction"),
                    Map.entry(206, "Frame Relay with direction"),
                    Map.entry(220, "USB of Linux, padded"),
                    Map.entry(224, "Fibre Channel"),
                    Map.entry(226, "Solaris ipnet"),
                    Map.entry(227, "CAN of SocketCAN"),
                    Map.entry(230, "802.15.4 without FCS"),
                    Map.entry(231, "D-Bus"),
                    Map.entry(235, "DVB-CI"),
                    Map.entry(240, "netANALYZER"),
                    Map.entry(242, "IP over InfiniBand"),
                    Map.entry(243, "MPEG-2 transport stream"),
                    Map.entry(247, "InfiniBand"),
                    Map.entry(248, "SCTP"),
                    Map.entry(249, "USBPcap"),
                    Map.entry(251, "Bluetooth LE"),
                    Map.entry(253, "Netlink"),
                    Map.entry(256, "Bluetooth LE with radio header"),
                    Map.entry(258, "Apple PKTAP"),
                    Map.entry(264, "ISO 14443"),
                    Map.entry(272, "nRF Bluetooth LE sniffer"),
                    Map.entry(283, "802.15.4 TAP"));

    private LinkTypes() {}

    /** Returns {@code 192 (PPI)}; only the number if it has no known name. */
    public static String text(int linkType) {
        String name = NAMES.get(linkType);
        return linkType + (name == null ? "" : " (" + name + ")");
    }
}
