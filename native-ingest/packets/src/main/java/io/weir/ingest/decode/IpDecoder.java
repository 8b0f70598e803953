package io.weir.ingest.decode;

import static io.weir.ingest.decode.PacketDecoder.IP_PACKET;
import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Reads the outermost IP header (RFC 791, RFC 8200), and the transport header behind it. Stateless;
 * any thread.
 */
final class IpDecoder {
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final long LARGEST_BYTES = 0xFFFF_FFFFL;

    private IpDecoder() {}

    /**
     * Reads a header of the version that its first nibble names.
     *
     * @param otherwise the result when that is neither 4 nor 6
     */
    static int byNibble(long ip, long end, long wireEnd, Exclusion otherwise, PacketHeaders to) {
        if (ip >= end) {
            return Exclusion.L2_CUT.code();
        }
        int version = getByte(ip) >>> 4 & 0xF;
        return switch (version) {
            case 4 -> ipv4(ip, end, wireEnd, to);
            case 6 -> ipv6(ip, end, wireEnd, to);
            default -> {
                to.foreign = Foreign.VERSION.key(version);
                yield otherwise.code();
            }
        };
    }

    /**
     * Reads an IPv4 header; its options are not needed.
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
        to.lengthFrom = total == 0 ? PacketHeaders.WIRE : PacketHeaders.IP_HEADER;
        to.bytes = total != 0 ? total : (int) Math.max(0, wireEnd - ip);
        ipv4Fields(ip, to);
        int above = above(ip + headerBytes, end, total == 0 ? Long.MAX_VALUE : ip + total, to);
        payload(headerBytes + above, to);
        return IP_PACKET;
    }

    /** Reads the headers above IP; returns the length of the transport header. */
    private static int above(long at, long end, long ipEnd, PacketHeaders to) {
        if (to.fragmentOffset != 0) {
            to.gap = HeaderGap.LATER_FRAGMENT.code();
            return 0;
        }
        return Transport.decode(at, end, ipEnd, to);
    }

    private static void payload(long headerBytes, PacketHeaders to) {
        long bytes = to.bytes & LARGEST_BYTES; // a length that the header lacks may take 32 bits
        to.payloadBytes = (int) Math.max(0, bytes - headerBytes);
    }

    private static void ipv4Fields(long ip, PacketHeaders to) {
        to.family = 4;
        to.etype = LinkDecoder.IPV4;
        to.ipTos = getByte(ip + 1) & 0xFF;
        to.ipId = getShortBigEndian(ip + 4) & 0xFFFF;
        int fragment = getShortBigEndian(ip + 6);
        to.fragmentOffset = fragment & 0x1FFF;
        to.ipFlags = fragment >>> 13 & 7;
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
     * @param wireEnd where the frame would end if all of it were captured
     */
    static int ipv6(long ip, long end, long wireEnd, PacketHeaders to) {
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
        ipv6Length(ip, end, wireEnd, to);
        long at = Ipv6Extensions.walk(ip + IPV6_BYTES, end, to);
        int above = 0;
        if (to.gap == HeaderGap.NONE.code()) {
            long ipEnd = ip + (to.bytes & LARGEST_BYTES);
            above =
                    above(
                            at,
                            end,
                            to.lengthFrom == PacketHeaders.WIRE ? Long.MAX_VALUE : ipEnd,
                            to);
        }
        payload(at - ip + above, to);
        return IP_PACKET;
    }

    private static void ipv6Fields(long ip, PacketHeaders to) {
        to.family = 6;
        to.etype = LinkDecoder.IPV6;
        to.ipTos = getIntBigEndian(ip) >>> 20 & 0xFF;
        to.proto = getByte(ip + 6) & 0xFF;
        to.ipTtl = getByte(ip + 7) & 0xFF;
        to.srcHigh = getLongBigEndian(ip + 8);
        to.srcLow = getLongBigEndian(ip + 16);
        to.dstHigh = getLongBigEndian(ip + 24);
        to.dstLow = getLongBigEndian(ip + 32);
        to.ipId = 0;
        to.fragmentOffset = 0;
        to.ipFlags = 0;
    }

    /** A payload length of 0 comes from a jumbogram, or from segmentation offload. */
    private static void ipv6Length(long ip, long end, long wireEnd, PacketHeaders to) {
        int payload = getShortBigEndian(ip + 4) & 0xFFFF;
        to.lengthFrom = PacketHeaders.IP_HEADER;
        to.bytes = IPV6_BYTES + payload;
        if (payload != 0 || to.proto == Ipv6Extensions.NO_NEXT_HEADER) {
            return;
        }
        long jumbo =
                to.proto == Ipv6Extensions.HOP_BY_HOP
                        ? Ipv6Extensions.jumboBytes(ip + IPV6_BYTES, end)
                        : 0;
        if (jumbo > 0) {
            to.lengthFrom = PacketHeaders.JUMBO_OPTION;
            to.bytes = (int) Math.min(LARGEST_BYTES, IPV6_BYTES + jumbo);
        } else {
            to.lengthFrom = PacketHeaders.WIRE;
            to.bytes = (int) Math.max(IPV6_BYTES, wireEnd - ip);
        }
    }
}
