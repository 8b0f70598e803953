package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Reads the extension headers of IPv6 that lie between its header and the transport's (RFC 8200),
 * and the jumbo payload option (RFC 2675). Stateless; any thread.
 */
final class Ipv6Extensions {
    static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    static final int NO_NEXT_HEADER = 59;
    private static final int DESTINATION_OPTIONS = 60;

    /** The unit of their lengths. */
    private static final int UNIT_BYTES = 8;

    /** The bytes of a header that must be there for a field to be. */
    private static final int LENGTH_END = 2;

    private static final int FRAGMENT_OFFSET_END = 4;

    private static final int PAD_1 = 0;
    private static final int JUMBO = 0xC2;
    private static final int JUMBO_BYTES = 4;

    /**
     * The least length in the option. A shorter payload has its length in the header, so the option
     * would be wrong.
     */
    private static final long LEAST_JUMBO_BYTES = 65_536;

    private Ipv6Extensions() {}

    /**
     * Walks the extension headers; the protocol is the last next-header value read.
     *
     * @param end of the captured bytes
     * @return where the walk stopped: at the transport header, or behind the fragment header of a
     *     later fragment. It may also be the extension in which the captured bytes end, which is
     *     then the packet's gap
     */
    static long walk(long from, long end, PacketHeaders to) {
        long at = from;
        while (isExtension(to.proto) && to.fragmentOffset == 0) {
            int there = (int) Math.max(0, Math.min(UNIT_BYTES, end - at));
            boolean fragment = to.proto == FRAGMENT;
            to.proto = there > 0 ? getByte(at) & 0xFF : to.proto;
            if (fragment) {
                fragment(at, there, to);
            }
            if (there < LENGTH_END || fragment && there < UNIT_BYTES) {
                return cut(at, to);
            }
            long next = at + (fragment ? 1 : (getByte(at + 1) & 0xFF) + 1) * UNIT_BYTES;
            if (next > end) {
                return cut(next, to);
            }
            at = next;
        }
        return at;
    }

    private static long cut(long at, PacketHeaders to) {
        boolean later = to.fragmentOffset != 0;
        to.gap = (later ? HeaderGap.LATER_FRAGMENT : HeaderGap.EXTENSIONS_CUT).code();
        return at;
    }

    private static void fragment(long at, int there, PacketHeaders to) {
        if (there >= FRAGMENT_OFFSET_END) {
            int word = getShortBigEndian(at + 2);
            to.fragmentOffset = word >>> 3 & 0x1FFF;
            to.ipFlags = word & PacketHeaders.MORE_FRAGMENTS;
        }
        to.ipId = there == UNIT_BYTES ? getIntBigEndian(at + 4) : 0;
    }

    private static boolean isExtension(int proto) {
        return proto == HOP_BY_HOP
                || proto == ROUTING
                || proto == FRAGMENT
                || proto == DESTINATION_OPTIONS;
    }

    /**
     * Returns the payload length in a hop-by-hop header; 0 if it has none, or an impossible one.
     *
     * @param end of the captured bytes
     */
    static long jumboBytes(long header, long end) {
        if (header + UNIT_BYTES > end) {
            return 0;
        }
        long optionsEnd = header + ((getByte(header + 1) & 0xFF) + 1) * UNIT_BYTES;
        long stop = Math.min(optionsEnd, end);
        long at = header + LENGTH_END;
        while (at + 2 <= stop) {
            int type = getByte(at) & 0xFF;
            int length = getByte(at + 1) & 0xFF;
            if (type == JUMBO && length == JUMBO_BYTES && at + 2 + JUMBO_BYTES <= stop) {
                long bytes = getIntBigEndian(at + 2) & 0xFFFF_FFFFL;
                return bytes < LEAST_JUMBO_BYTES ? 0 : bytes;
            }
            at += type == PAD_1 ? 1 : 2 + length;
        }
        return 0;
    }
}
