package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;

/** Headers above IP. Read only when their fixed part is wholly there. Stateless; any thread. */
final class Transport {
    static final int ICMP = 1;
    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMPV6 = 58;
    static final int SCTP = 132;

    static final int UDP_BYTES = 8;
    private static final int TCP_BYTES = 20;
    private static final int ICMP_BYTES = 4;
    private static final int SCTP_BYTES = 12;

    private Transport() {}

    /**
     * Reads the header that a first fragment, or a whole packet, has at {@code at}.
     *
     * @param end of what is both captured and within the IP length
     * @return the header's length as it declares it; 0 when none was read
     */
    static int decode(long at, long end, PacketHeaders to) {
        return switch (to.proto) {
            case TCP -> tcp(at, end, to);
            case UDP -> ports(at, end, UDP_BYTES, to);
            case SCTP -> ports(at, end, SCTP_BYTES, to);
            case ICMP -> to.family == 4 ? icmp(at, end, to) : 0;
            case ICMPV6 -> to.family == 6 ? icmp(at, end, to) : 0;
            default -> 0;
        };
    }

    private static int tcp(long at, long end, PacketHeaders to) {
        if (ports(at, end, TCP_BYTES, to) == 0) {
            return 0;
        }
        to.tcpSeq = getIntBigEndian(at + 4);
        to.tcpAck = getIntBigEndian(at + 8);
        int rest = getIntBigEndian(at + 12);
        to.tcpFlags = rest >>> 16 & 0xFF;
        to.tcpWindow = rest & 0xFFFF;
        return (rest >>> 28) * 4;
    }

    private static int ports(long at, long end, int headerBytes, PacketHeaders to) {
        if (at + headerBytes > end) {
            return 0;
        }
        int ports = getIntBigEndian(at);
        to.srcPort = ports >>> 16;
        to.dstPort = ports & 0xFFFF;
        to.transportRead = true;
        return headerBytes;
    }

    private static int icmp(long at, long end, PacketHeaders to) {
        if (at + ICMP_BYTES > end) {
            return 0;
        }
        to.icmpType = getByte(at) & 0xFF;
        to.icmpCode = getByte(at + 1) & 0xFF;
        to.transportRead = true;
        return ICMP_BYTES;
    }
}
