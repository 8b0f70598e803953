package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getInt;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShort;

/**
 * Reads 802.11 data frames, with a radiotap header or without. IP follows an LLC header. Frames
 * that are encrypted, and parts of packets, have no readable IP header. Stateless; any thread.
 *
 * <p>Sources: IEEE 802.11-2020, 9.2 and 9.3; radiotap.org.
 */
final class WlanDecoder {
    private static final int RADIOTAP_BYTES = 8;
    private static final int HAS_TSFT = 1;
    private static final int HAS_FLAGS = 2;

    /** Another word of presence bits follows. */
    private static final int HAS_MORE = 1 << 31;

    private static final int FLAG_FCS = 0x10;
    private static final int FLAG_PADDED = 0x20;
    private static final int FCS_BYTES = 4;

    private static final int CONTROL_BYTES = 2;
    private static final int HEADER_BYTES = 24;
    private static final int MAC_BYTES = 6;
    private static final int QOS_BYTES = 2;
    private static final int HT_CONTROL_BYTES = 4;

    /** Bits of the frame control word. */
    private static final int VERSION_TYPE = 0xF;

    private static final int DATA = 0x8;
    private static final int KIND = 0xFC;
    private static final int NO_DATA = 0x40;
    private static final int QOS = 0x80;
    private static final int TO_DS = 0x100;
    private static final int FROM_DS = 0x200;
    private static final int PROTECTED = 0x4000;
    private static final int ORDER = 0x8000;

    /** A bit of the QoS control word: the frame holds several packets. */
    private static final int AGGREGATE = 0x80;

    private WlanDecoder() {}

    /** Reads a radiotap header, whose integers are little endian, and the frame behind it. */
    static int radiotap(long frame, long end, long wireEnd, PacketHeaders to) {
        if (frame + RADIOTAP_BYTES > end) {
            return Exclusion.L2_CUT.code();
        }
        int headerBytes = getShort(frame + 2) & 0xFFFF;
        long at = frame + headerBytes;
        if (headerBytes < RADIOTAP_BYTES || at > end) {
            return Exclusion.L2_CUT.code();
        }
        int flags = radiotapFlags(frame, at);
        long fcsBytes = (flags & FLAG_FCS) != 0 ? FCS_BYTES : 0;
        return wlan(at, end, Math.max(at, wireEnd - fcsBytes), (flags & FLAG_PADDED) != 0, to);
    }

    /** Returns the field that tells of a frame check sequence and of padding; 0 without it. */
    private static int radiotapFlags(long frame, long end) {
        int present = getInt(frame + 4);
        long at = frame + RADIOTAP_BYTES;
        for (int more = present; (more & HAS_MORE) != 0 && at + 4 <= end; at += 4) {
            more = getInt(at);
        }
        if ((present & HAS_TSFT) != 0) {
            at = frame + (at - frame + 7 & -8L) + Long.BYTES;
        }
        return (present & HAS_FLAGS) != 0 && at < end ? getByte(at) : 0;
    }

    /**
     * Reads an 802.11 frame.
     *
     * @param padded whether its header is padded to four bytes
     */
    static int wlan(long frame, long end, long wireEnd, boolean padded, PacketHeaders to) {
        if (frame + CONTROL_BYTES > end) {
            return Exclusion.L2_CUT.code();
        }
        int control = getShort(frame) & 0xFFFF;
        if ((control & VERSION_TYPE) != DATA || (control & NO_DATA) != 0) {
            to.foreign = Foreign.WLAN.key(control & KIND);
            return Exclusion.NOT_IP.code();
        }
        int headerBytes = headerBytes(control);
        if (frame + headerBytes > end) {
            return Exclusion.L2_CUT.code();
        }
        int unreadable = unreadable(frame, control);
        if (unreadable >= 0) {
            return unreadable;
        }
        addresses(frame, control, to);
        long at = frame + (padded ? headerBytes + 3 & -4 : headerBytes);
        return LinkDecoder.llc(at, end, wireEnd, to);
    }

    private static int headerBytes(int control) {
        boolean isQos = (control & QOS) != 0;
        return HEADER_BYTES
                + (isBridged(control) ? MAC_BYTES : 0)
                + (isQos ? QOS_BYTES : 0)
                + (isQos && (control & ORDER) != 0 ? HT_CONTROL_BYTES : 0);
    }

    private static boolean isBridged(int control) {
        return (control & (TO_DS | FROM_DS)) == (TO_DS | FROM_DS);
    }

    /** Returns the code of the reason why no IP header can be read here; -1 if there is none. */
    private static int unreadable(long frame, int control) {
        if ((control & PROTECTED) != 0) {
            return Exclusion.ENCRYPTED.code();
        }
        if ((getShort(frame + 22) & 0xF) != 0) {
            return Exclusion.WLAN_FRAGMENT.code();
        }
        long qos = frame + HEADER_BYTES + (isBridged(control) ? MAC_BYTES : 0);
        boolean aggregate = (control & QOS) != 0 && (getShort(qos) & AGGREGATE) != 0;
        return aggregate ? Exclusion.WLAN_AGGREGATE.code() : -1;
    }

    private static void addresses(long frame, int control, PacketHeaders to) {
        long first = mac(frame + 4);
        long second = mac(frame + 10);
        long third = mac(frame + 16);
        to.dstMac = (control & TO_DS) != 0 ? third : first;
        to.srcMac =
                (control & FROM_DS) == 0
                        ? second
                        : isBridged(control) ? mac(frame + HEADER_BYTES) : third;
    }

    /** Reads six bytes; at least two lie before them. */
    private static long mac(long at) {
        return getLongBigEndian(at - 2) & 0xFFFF_FFFF_FFFFL;
    }
}
