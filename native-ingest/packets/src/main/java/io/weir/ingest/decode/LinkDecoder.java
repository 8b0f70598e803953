package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShort;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Reads from a frame's first byte to its IP header. It knows link headers, VLAN tags at any depth,
 * MPLS to the bottom of its stack, PPPoE sessions, Cisco's HDLC and SNAP. Stateless; any thread.
 *
 * <p>Sources: the LINKTYPE_ registry of tcpdump.org, IEEE 802.1Q, RFC 3032, RFC 2516, RFC 1042, RFC
 * 1547.
 */
final class LinkDecoder {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86DD;

    private static final int ARP = 0x0806;
    private static final int VLAN = 0x8100;
    private static final int VLAN_PROVIDER = 0x88A8;
    private static final int VLAN_OLD_1 = 0x9100;
    private static final int VLAN_OLD_2 = 0x9200;
    private static final int MPLS = 0x8847;
    private static final int MPLS_MULTICAST = 0x8848;
    private static final int PPPOE_SESSION = 0x8864;

    /** The least type. Smaller values of the type field are lengths, and an LLC header follows. */
    private static final int SMALLEST_TYPE = 0x0600;

    /** DSAP, SSAP, control and organisation of SNAP with EtherTypes. */
    private static final long SNAP = 0xAAAA_0300_0000L;

    /** The first two bytes of these. */
    private static final int SNAP_SAPS = 0xAAAA;

    private static final int SNAP_BYTES = 6;
    private static final int PPPOE_BYTES = 6;
    private static final int ETHERNET_HARDWARE = 1;
    private static final int MAC_BYTES = 6;

    /** The packet type of a cooked capture if the machine has sent the packet. */
    private static final int SENT = 4;

    private static final int PPP_IPV4 = 0x0021;
    private static final int PPP_IPV6 = 0x0057;
    private static final int PPP_MPLS = 0x0281;
    private static final int PPP_MPLS_MULTICAST = 0x0283;
    private static final short PPP_ADDRESS_CONTROL = 0x03FF;

    /** Addresses of Cisco's HDLC. */
    private static final int HDLC_UNICAST = 0x0F;

    private static final int HDLC_MULTICAST = 0x8F;
    private static final int HDLC_BYTES = 4;

    private LinkDecoder() {}

    /**
     * Reads a frame from its link header on.
     *
     * @param end of the captured bytes
     * @param wireEnd where the frame would end if all of it were captured
     */
    static int decode(long frame, long end, long wireEnd, int linkType, PacketHeaders to) {
        return switch (linkType) {
            case 1 -> ethernet(frame, end, wireEnd, to);
            case 0, 108 -> IpDecoder.byNibble(frame + 4, end, wireEnd, Exclusion.NOT_IP, to);
            case 9, 50 -> hdlc(frame, end, wireEnd, to);
            case 12, 14, 101 -> IpDecoder.byNibble(frame, end, wireEnd, Exclusion.IP_VERSION, to);
            case 51 -> pppoe(frame, end, wireEnd, to);
            case 104 -> ciscoHdlc(frame, end, wireEnd, to);
            case 105 -> WlanDecoder.wlan(frame, end, wireEnd, false, to);
            case 113 -> cooked(frame, end, wireEnd, to);
            case 127 -> WlanDecoder.radiotap(frame, end, wireEnd, to);
            case 228 -> IpDecoder.ipv4(frame, end, wireEnd, to);
            case 229 -> IpDecoder.ipv6(frame, end, wireEnd, to);
            case 239 -> NflogDecoder.decode(frame, end, to);
            case 276 -> cooked2(frame, end, wireEnd, to);
            default -> Exclusion.UNKNOWN_LINK_TYPE.code();
        };
    }

    private static int ethernet(long frame, long end, long wireEnd, PacketHeaders to) {
        if (frame + 14 > end) {
            return Exclusion.L2_CUT.code();
        }
        to.dstMac = getLongBigEndian(frame) >>> 16;
        to.srcMac = getLongBigEndian(frame + 6) >>> 16;
        return byType(frame + 12, end, wireEnd, to);
    }

    /** Reads a Linux cooked capture, version 1. */
    private static int cooked(long frame, long end, long wireEnd, PacketHeaders to) {
        if (frame + 16 > end) {
            return Exclusion.L2_CUT.code();
        }
        if (half(frame + 2) == ETHERNET_HARDWARE && half(frame + 4) == MAC_BYTES) {
            to.srcMac = getLongBigEndian(frame + 6) >>> 16;
        }
        to.direction = direction(half(frame));
        return byType(frame + 14, end, wireEnd, to);
    }

    /** Returns the direction of a packet type of Linux. Packets to other hosts came in, too. */
    private static int direction(int packetType) {
        return packetType == SENT
                ? PacketHeaders.OUT
                : packetType < SENT ? PacketHeaders.IN : PacketHeaders.UNKNOWN_DIRECTION;
    }

    /**
     * Reads a Linux cooked capture, version 2: its type field comes first, its payload after 20
     * bytes.
     */
    private static int cooked2(long frame, long end, long wireEnd, PacketHeaders to) {
        if (frame + 20 > end) {
            return Exclusion.L2_CUT.code();
        }
        if (half(frame + 8) == ETHERNET_HARDWARE && getByte(frame + 11) == MAC_BYTES) {
            to.srcMac = getLongBigEndian(frame + 12) >>> 16;
        }
        to.direction = direction(getByte(frame + 10) & 0xFF);
        to.inIf = getIntBigEndian(frame + 4) & 0xFFFF_FFFFL;
        return typed(half(frame), frame + 20, end, wireEnd, to);
    }

    /** Reads PPP or Cisco's frames. The address byte tells which they are. */
    private static int hdlc(long frame, long end, long wireEnd, PacketHeaders to) {
        int address = frame < end ? getByte(frame) & 0xFF : 0;
        return address == HDLC_UNICAST || address == HDLC_MULTICAST
                ? ciscoHdlc(frame, end, wireEnd, to)
                : ppp(frame, end, wireEnd, to);
    }

    private static int ciscoHdlc(long frame, long end, long wireEnd, PacketHeaders to) {
        if (frame + HDLC_BYTES > end) {
            return Exclusion.L2_CUT.code();
        }
        int type = half(frame + 2);
        return type < SMALLEST_TYPE
                ? foreign(Foreign.ETHERTYPE, type, to)
                : typed(type, frame + HDLC_BYTES, end, wireEnd, to);
    }

    /**
     * Reads PPP, with an address and control field or without, its protocol field compressed or
     * not.
     */
    private static int ppp(long frame, long end, long wireEnd, PacketHeaders to) {
        long at = frame;
        if (at + 2 <= end && getShort(at) == PPP_ADDRESS_CONTROL) {
            at += 2;
        }
        if (at < end && (getByte(at) & 1) == 1) {
            return pppProtocol(getByte(at) & 0xFF, at + 1, end, wireEnd, to);
        }
        if (at + 2 > end) {
            return Exclusion.L2_CUT.code();
        }
        return pppProtocol(half(at), at + 2, end, wireEnd, to);
    }

    private static int pppProtocol(
            int protocol, long at, long end, long wireEnd, PacketHeaders to) {
        return switch (protocol) {
            case PPP_IPV4 -> IpDecoder.ipv4(at, end, wireEnd, to);
            case PPP_IPV6 -> IpDecoder.ipv6(at, end, wireEnd, to);
            case PPP_MPLS, PPP_MPLS_MULTICAST -> mpls(at, end, wireEnd, to);
            default -> foreign(Foreign.PPP, protocol, to);
        };
    }

    /** Follows the type field at {@code at}, through any number of VLAN tags. */
    private static int byType(long at, long end, long wireEnd, PacketHeaders to) {
        return typed(half(at), at + 2, end, wireEnd, to);
    }

    static int typed(int first, long from, long end, long wireEnd, PacketHeaders to) {
        int type = first;
        long at = from;
        for (int tags = 0; isVlan(type); tags++) {
            if (at + 4 > end) {
                return Exclusion.L2_CUT.code();
            }
            tag(tags, half(at), to);
            type = half(at + 2);
            at += 4;
        }
        return switch (type) {
            case IPV4 -> IpDecoder.ipv4(at, end, wireEnd, to);
            case IPV6 -> IpDecoder.ipv6(at, end, wireEnd, to);
            case ARP -> Exclusion.ARP.code();
            case MPLS, MPLS_MULTICAST -> mpls(at, end, wireEnd, to);
            case PPPOE_SESSION -> pppoe(at, end, wireEnd, to);
            default ->
                    type < SMALLEST_TYPE
                            ? llc(at, end, wireEnd, to)
                            : foreign(Foreign.ETHERTYPE, type, to);
        };
    }

    static void tag(int number, int tag, PacketHeaders to) {
        if (number == 0) {
            to.vlanId = tag & 0xFFF;
            to.vlanPriority = tag >>> 13;
        } else if (number == 1) {
            to.innerVlanId = tag & 0xFFF;
        }
    }

    private static int mpls(long from, long end, long wireEnd, PacketHeaders to) {
        to.encapsulation = PacketHeaders.MPLS;
        for (long at = from; at + 4 <= end; at += 4) {
            boolean bottom = (getIntBigEndian(at) & 0x100) != 0;
            if (bottom) {
                return IpDecoder.byNibble(at + 4, end, wireEnd, Exclusion.NOT_IP, to);
            }
        }
        return Exclusion.L2_CUT.code();
    }

    private static int pppoe(long at, long end, long wireEnd, PacketHeaders to) {
        to.encapsulation = PacketHeaders.PPPOE;
        if (at + PPPOE_BYTES + 2 > end) {
            return Exclusion.L2_CUT.code();
        }
        int protocol = half(at + PPPOE_BYTES);
        return pppProtocol(protocol, at + PPPOE_BYTES + 2, end, wireEnd, to);
    }

    static int llc(long at, long end, long wireEnd, PacketHeaders to) {
        if (at + 2 > end) {
            return at + 2 > wireEnd ? foreign(Foreign.LLC, 0, to) : Exclusion.L2_CUT.code();
        }
        if (half(at) != SNAP_SAPS) {
            return foreign(Foreign.LLC, half(at), to);
        }
        if (at + SNAP_BYTES + 2
                > end) { // cut, or as short on the wire: in the latter case it is not IP
            return at + SNAP_BYTES + 2 > wireEnd
                    ? foreign(Foreign.LLC, SNAP_SAPS, to)
                    : Exclusion.L2_CUT.code();
        }
        if (getLongBigEndian(at) >>> 16 != SNAP) {
            return foreign(Foreign.LLC, SNAP_SAPS, to);
        }
        int type = half(at + SNAP_BYTES);
        to.encapsulation = PacketHeaders.SNAP;
        return type < SMALLEST_TYPE
                ? foreign(Foreign.ETHERTYPE, type, to)
                : typed(type, at + SNAP_BYTES + 2, end, wireEnd, to);
    }

    static int foreign(Foreign kind, int protocol, PacketHeaders to) {
        to.foreign = kind.key(protocol);
        return Exclusion.NOT_IP.code();
    }

    private static boolean isVlan(int type) {
        return type == VLAN || type == VLAN_PROVIDER || type == VLAN_OLD_1 || type == VLAN_OLD_2;
    }

    private static int half(long address) {
        return getShortBigEndian(address) & 0xFFFF;
    }
}
