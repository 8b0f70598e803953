package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Reads headers above IP. In a partial header it reads the fields that are wholly there. Stateless;
 * any thread.
 */
final class Transport {
    static final int ICMP = 1;
    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMPV6 = 58;
    static final int SCTP = 132;

    static final int UDP_BYTES = 8;
    static final int TCP_BYTES = 20;
    private static final int ICMP_BYTES = 4;
    private static final int SCTP_BYTES = 12;

    /** The bytes of a header that must be there for a field to be. */
    static final int PORTS_END = 4;

    private static final int TCP_SEQ_END = 8;
    private static final int TCP_ACK_END = 12;
    private static final int TCP_OFFSET_END = 13;
    static final int TCP_FLAGS_END = 14;
    private static final int TCP_WINDOW_END = 16;

    private Transport() {}

    /**
     * Reads the header at {@code at} of a first fragment, or of a whole packet.
     *
     * @param end of the captured bytes
     * @param ipEnd where the packet ends by its IP length
     * @return the header's declared length, if it can be read; 0 when this reads no header of the
     *     protocol
     */
    static int decode(long at, long end, long ipEnd, PacketHeaders to) {
        int fixedBytes = fixedBytes(to);
        if (fixedBytes == 0) {
            return 0;
        }
        if (at + fixedBytes > Math.min(end, ipEnd)) {
            return inPart(at, end, ipEnd, fixedBytes, to);
        }
        to.transportBytes = fixedBytes;
        if (fixedBytes == ICMP_BYTES) {
            to.icmpType = getByte(at) & 0xFF;
            to.icmpCode = getByte(at + 1) & 0xFF;
            return ICMP_BYTES;
        }
        ports(at, to);
        if (fixedBytes != TCP_BYTES) {
            return fixedBytes;
        }
        to.tcpSeq = getIntBigEndian(at + 4);
        to.tcpAck = getIntBigEndian(at + 8);
        int rest = getIntBigEndian(at + 12);
        to.tcpFlags = rest >>> 16 & 0xFF;
        to.tcpWindow = rest & 0xFFFF;
        return (rest >>> 28) * 4;
    }

    private static int fixedBytes(PacketHeaders to) {
        return switch (to.proto) {
            case TCP -> TCP_BYTES;
            case UDP -> UDP_BYTES;
            case SCTP -> SCTP_BYTES;
            case ICMP -> to.family == 4 ? ICMP_BYTES : 0;
            case ICMPV6 -> to.family == 6 ? ICMP_BYTES : 0;
            default -> 0;
        };
    }

    private static int inPart(long at, long end, long ipEnd, int fixedBytes, PacketHeaders to) {
        int there = (int) Math.max(0, Math.min(end, ipEnd) - at);
        to.transportBytes = there;
        to.gap = gap(end, ipEnd, to).code();
        if (fixedBytes == ICMP_BYTES) {
            to.icmpType = there >= 1 ? getByte(at) & 0xFF : 0;
            to.icmpCode = there >= 2 ? getByte(at + 1) & 0xFF : 0;
            return ICMP_BYTES;
        }
        if (there >= PORTS_END) {
            ports(at, to);
        }
        return fixedBytes == TCP_BYTES ? tcpInPart(at, there, to) : fixedBytes;
    }

    private static HeaderGap gap(long end, long ipEnd, PacketHeaders to) {
        if (end < ipEnd) {
            return HeaderGap.TRANSPORT_CUT;
        }
        boolean more = (to.ipFlags & PacketHeaders.MORE_FRAGMENTS) != 0;
        return more ? HeaderGap.TINY_FIRST_FRAGMENT : HeaderGap.TRANSPORT_SHORT;
    }

    private static int tcpInPart(long at, int there, PacketHeaders to) {
        to.tcpSeq = there >= TCP_SEQ_END ? getIntBigEndian(at + 4) : 0;
        to.tcpAck = there >= TCP_ACK_END ? getIntBigEndian(at + 8) : 0;
        to.tcpFlags = there >= TCP_FLAGS_END ? getByte(at + 13) & 0xFF : 0;
        to.tcpWindow = there >= TCP_WINDOW_END ? getShortBigEndian(at + 14) & 0xFFFF : 0;
        return there >= TCP_OFFSET_END ? (getByte(at + 12) >>> 4 & 0xF) * 4 : TCP_BYTES;
    }

    private static void ports(long at, PacketHeaders to) {
        int ports = getIntBigEndian(at);
        to.srcPort = ports >>> 16;
        to.dstPort = ports & 0xFFFF;
    }
}
