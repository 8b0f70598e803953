package io.weir.ingest.decode;

import static io.weir.ingest.decode.PacketDecoder.IP_PACKET;
import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * The outermost IP header (RFC 791, RFC 8200), and the transport header behind it. Stateless; any
 * thread.
 */
final class IpDecoder {
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;

    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int EXTENSION_BYTES = 8;

    private IpDecoder() {}

    /**
     * Reads a header of the version that its first nibble names.
     *
     * @param otherwise what to return when that is neither 4 nor 6
     */
    static int byNibble(long ip, long end, long wireEnd, Exclusion otherwise, PacketHeaders to) {
        if (ip >= end) {
            return Exclusion.L2_CUT.code();
        }
        return switch (getByte(ip) >>> 4 & 0xF) {
            case 4 -> ipv4(ip, end, wireEnd, to);
            case 6 -> ipv6(ip, end, to);
            default -> otherwise.code();
        };
    }

    /**
     * Reads an IPv4 header.
     *
     * @param end of the captured bytes
     * @param wireEnd where the frame would end if all of it were captured
     */
    static int ipv4(long ip, long end, long wireEnd, PacketHeaders to) {
        if (ip >= end) {
            return Exclusion.IP_CUT.code();
        }
        int first = getByte(ip) & 0xFF;
        if (first >>> 4 != 4) {
            return Exclusion.IP_VERSION.code();
        }
        int headerBytes = (first & 0xF) * 4;
        if (headerBytes < IPV4_BYTES) {
            return Exclusion.IP_HEADER_LENGTH.code();
        }
        if (ip + headerBytes > end) {
            return Exclusion.IP_CUT.code();
        }
        int total = getShortBigEndian(ip + 2) & 0xFFFF;
        to.lengthFromWire = total == 0;
        to.bytes = total != 0 ? total : (int) Math.max(0, wireEnd - ip);
        ipv4Fields(ip, to);
        long readable = total == 0 ? end : Math.min(end, ip + total);
        int above = to.fragmentOffset == 0 ? Transport.decode(ip + headerBytes, readable, to) : 0;
        long bytes = to.bytes & 0xFFFF_FFFFL; // a wire length may take all 32 bits
        to.payloadBytes = (int) Math.max(0, bytes - headerBytes - above);
        return IP_PACKET;
    }

    private static void ipv4Fields(long ip, PacketHeaders to) {
        to.family = 4;
        to.etype = LinkDecoder.IPV4;
        to.ipTos = getByte(ip + 1) & 0xFF;
        to.ipId = getShortBigEndian(ip + 4) & 0xFFFF;
        to.fragmentOffset = getShortBigEndian(ip + 6) & 0x1FFF;
        to.ipTtl = getByte(ip + 8) & 0xFF;
        to.proto = getByte(ip + 9) & 0xFF;
        to.srcHigh = 0;
        to.dstHigh = 0;
        to.srcLow = getIntBigEndian(ip + 12) & 0xFFFF_FFFFL;
        to.dstLow = getIntBigEndian(ip + 16) & 0xFFFF_FFFFL;
    }

    /**
     * Reads an IPv6 header and its extensions.
     *
     * @param end of the captured bytes
     */
    static int ipv6(long ip, long end, PacketHeaders to) {
        if (ip >= end) {
            return Exclusion.IP_CUT.code();
        }
        if ((getByte(ip) >>> 4 & 0xF) != 6) {
            return Exclusion.IP_VERSION.code();
        }
        if (ip + IPV6_BYTES > end) {
            return Exclusion.IP_CUT.code();
        }
        ipv6Fields(ip, to);
        long at = extensions(ip + IPV6_BYTES, end, to);
        long readable = Math.min(end, ip + to.bytes);
        int above = to.fragmentOffset == 0 ? Transport.decode(at, readable, to) : 0;
        to.payloadBytes = (int) Math.max(0, to.bytes - (at - ip) - above);
        return IP_PACKET;
    }

    private static void ipv6Fields(long ip, PacketHeaders to) {
        to.family = 6;
        to.etype = LinkDecoder.IPV6;
        to.lengthFromWire = false;
        to.ipTos = getIntBigEndian(ip) >>> 20 & 0xFF;
        to.bytes = IPV6_BYTES + (getShortBigEndian(ip + 4) & 0xFFFF);
        to.proto = getByte(ip + 6) & 0xFF;
        to.ipTtl = getByte(ip + 7) & 0xFF;
        to.srcHigh = getLongBigEndian(ip + 8);
        to.srcLow = getLongBigEndian(ip + 16);
        to.dstHigh = getLongBigEndian(ip + 24);
        to.dstLow = getLongBigEndian(ip + 32);
        to.ipId = 0;
        to.fragmentOffset = 0;
    }

    /**
     * Walks the extension headers; the protocol is the last next-header value read.
     *
     * @return where the walk stopped: at the transport header, behind the fragment header of a
     *     later fragment, or where the captured bytes end
     */
    private static long extensions(long from, long end, PacketHeaders to) {
        long at = from;
        while (isExtension(to.proto) && at + EXTENSION_BYTES <= end) {
            boolean fragment = to.proto == FRAGMENT;
            to.proto = getByte(at) & 0xFF;
            if (!fragment) {
                at += ((getByte(at + 1) & 0xFF) + 1) * EXTENSION_BYTES;
                continue;
            }
            to.fragmentOffset = getShortBigEndian(at + 2) >>> 3 & 0x1FFF;
            to.ipId = getIntBigEndian(at + 4);
            at += EXTENSION_BYTES;
            if (to.fragmentOffset != 0) {
                return at;
            }
        }
        return at;
    }

    private static boolean isExtension(int proto) {
        return proto == HOP_BY_HOP
                || proto == ROUTING
                || proto == FRAGMENT
                || proto == DESTINATION_OPTIONS;
    }
}
