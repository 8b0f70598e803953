package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShort;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Reads packets that the packet filter of Linux has logged: a header, then attributes. An attribute
 * holds the packet, without its link header. Stateless; any thread.
 *
 * <pre>
 * header     0 address family 1   1 version 1   2 resource 2
 * attribute  0 length 2   2 type 2   4 value, padded to four bytes
 * </pre>
 *
 * A length and a type have the byte order of the machine that captured. Types are small, so they
 * show which one it is. Values are big endian.
 *
 * <p>Source: LINKTYPE_NFLOG of tcpdump.org.
 */
final class NflogDecoder {
    private static final int HEADER_BYTES = 4;
    private static final int ATTRIBUTE_BYTES = 4;

    /** The bound of attributes that are read: Linux has 21 types. */
    private static final int MOST_ATTRIBUTES = 64;

    private static final int PACKET_HEADER = 1;
    private static final int MAC = 8;
    private static final int PAYLOAD = 9;
    private static final int HARDWARE = 15;
    private static final int LINK_HEADER = 16;
    private static final int VLAN = 19;

    private static final int IN_DEVICE = 4;

    /** Hooks of the packet filter. Packets that are forwarded come in and go out. */
    private static final int PRE_ROUTING = 0;

    private static final int LOCAL_IN = 1;
    private static final int LOCAL_OUT = 3;
    private static final int POST_ROUTING = 4;

    /** An attribute in the value of {@link #VLAN}. */
    private static final int VLAN_TAG = 2;

    /** The bits of a type that are not flags. */
    private static final int TYPE = 0x3FFF;

    private static final int LARGEST_TYPE = 0xFF;
    private static final int FAMILY_IPV4 = 2;
    private static final int FAMILY_IPV6 = 10;
    private static final int ETHERNET_HARDWARE = 1;
    private static final int ETHERNET_BYTES = 14;
    private static final int MAC_BYTES = 6;

    private NflogDecoder() {}

    static int decode(long frame, long end, PacketHeaders to) {
        long attributes = frame + HEADER_BYTES;
        long payload = attributes > end ? 0 : find(PAYLOAD, attributes, end, 0);
        if (payload == 0) {
            return Exclusion.L2_CUT.code();
        }
        link(attributes, payload, to);
        int protocol = protocol(frame, payload);
        if (protocol == 0) {
            return LinkDecoder.foreign(Foreign.ETHERTYPE, protocol, to);
        }
        long packet = payload + ATTRIBUTE_BYTES;
        long packetEnd = payload + lengthBytes(payload);
        return LinkDecoder.typed(protocol, packet, Math.min(end, packetEnd), packetEnd, to);
    }

    /** Returns the EtherType of the packet; 0 if neither the header nor an attribute has it. */
    private static int protocol(long frame, long end) {
        int family = getByte(frame) & 0xFF;
        if (family == FAMILY_IPV4 || family == FAMILY_IPV6) {
            return family == FAMILY_IPV4 ? LinkDecoder.IPV4 : LinkDecoder.IPV6;
        }
        long header = find(PACKET_HEADER, frame + HEADER_BYTES, end, 2);
        return header == 0 ? 0 : value(header);
    }

    private static void link(long from, long end, PacketHeaders to) {
        long hardware = find(HARDWARE, from, end, 2);
        boolean ethernet = hardware == 0 || value(hardware) == ETHERNET_HARDWARE;
        long mac = find(MAC, from, end, 4 + MAC_BYTES);
        if (ethernet && mac != 0 && value(mac) == MAC_BYTES) {
            to.srcMac = getLongBigEndian(mac + ATTRIBUTE_BYTES + 4) >>> 16;
        }
        long header = find(LINK_HEADER, from, end, ETHERNET_BYTES);
        if (ethernet && hardware != 0 && header != 0) {
            to.dstMac = getLongBigEndian(header + ATTRIBUTE_BYTES) >>> 16;
            to.srcMac = getLongBigEndian(header + ATTRIBUTE_BYTES + MAC_BYTES) >>> 16;
        }
        long vlan = find(VLAN, from, end, ATTRIBUTE_BYTES);
        if (vlan != 0) {
            long tag = find(VLAN_TAG, vlan + ATTRIBUTE_BYTES, vlan + lengthBytes(vlan), 2);
            LinkDecoder.tag(0, tag == 0 ? 0 : value(tag), to);
        }
        long device = find(IN_DEVICE, from, end, 4);
        to.inIf = device == 0 ? -1 : getIntBigEndian(device + ATTRIBUTE_BYTES) & 0xFFFF_FFFFL;
        long packet = find(PACKET_HEADER, from, end, 3);
        to.direction = packet == 0 ? 0 : direction(getByte(packet + ATTRIBUTE_BYTES + 2));
    }

    private static int direction(int hook) {
        return switch (hook) {
            case PRE_ROUTING, LOCAL_IN -> PacketHeaders.IN;
            case LOCAL_OUT, POST_ROUTING -> PacketHeaders.OUT;
            default -> PacketHeaders.UNKNOWN_DIRECTION;
        };
    }

    /**
     * Returns the first attribute of a type; 0 if there is none before the end. The captured bytes
     * may end inside the payload, and inside no other.
     *
     * @param leastBytes of its value
     */
    private static long find(int wanted, long from, long end, int leastBytes) {
        long at = from;
        for (int i = 0; i < MOST_ATTRIBUTES && at + ATTRIBUTE_BYTES <= end; i++) {
            int bytes = lengthBytes(at);
            int type = half(at + 2, isSwapped(at)) & TYPE;
            boolean whole = at + bytes <= end || type == PAYLOAD;
            if (bytes < ATTRIBUTE_BYTES || !whole) {
                return 0;
            }
            if (type == wanted && bytes >= ATTRIBUTE_BYTES + leastBytes) {
                return at;
            }
            at += bytes + 3 & -4;
        }
        return 0;
    }

    private static int lengthBytes(long attribute) {
        return half(attribute, isSwapped(attribute));
    }

    /** Returns the first two bytes of an attribute's value. */
    private static int value(long attribute) {
        return getShortBigEndian(attribute + ATTRIBUTE_BYTES) & 0xFFFF;
    }

    private static boolean isSwapped(long attribute) {
        return (getShort(attribute + 2) & TYPE) > LARGEST_TYPE;
    }

    private static int half(long at, boolean swapped) {
        short half = getShort(at);
        return (swapped ? Short.reverseBytes(half) : half) & 0xFFFF;
    }
}
