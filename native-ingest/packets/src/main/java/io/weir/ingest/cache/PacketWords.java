package io.weir.ingest.cache;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;

/**
 * Turns a packet into the words of a slot: the flow's, for the hash and for comparisons, and the
 * tuple's. Stateless; one thread writes a slot.
 */
final class PacketWords {
    private PacketWords() {}

    static long ports(PacketHeaders p) {
        return p.srcPort | (long) p.dstPort << 16 | (long) p.proto << 32;
    }

    /** Returns the word of the source's MAC address. Only {@code full} has more than 0 there. */
    static long source(PacketHeaders p, boolean full) {
        return full ? p.srcMac << 16 | p.innerVlanId : 0;
    }

    /** Returns the word of the destination's MAC address. */
    static long destination(PacketHeaders p, boolean full) {
        return full ? p.dstMac << 16 | p.direction : 0;
    }

    static long link(PacketHeaders p, boolean full, int interfaceIndex) {
        int tag = full ? p.vlanId << 4 | p.vlanPriority : 0;
        return tag | (long) p.etype << 16 | (long) interfaceIndex << 32;
    }

    static long v4Addresses(PacketHeaders p) {
        return p.srcLow | p.dstLow << 32;
    }

    /** Returns the hash of the 5-tuple; its low bits choose the slot. */
    static long hash(PacketHeaders p) {
        long hash =
                p.family == 4
                        ? Hash.of(v4Addresses(p))
                        : Hash.mix(Hash.mix(Hash.of(p.srcHigh, p.srcLow), p.dstHigh), p.dstLow);
        return Hash.mix(hash, ports(p));
    }

    /** Writes the flow's words into a slot's header. */
    static void putFlow(
            long slot, PacketHeaders p, long ports, long source, long destination, long link) {
        long rest = slot;
        if (p.family == 4) {
            Memory.putLong(slot + SlotLayout.V4_ADDRESSES, v4Addresses(p));
        } else {
            Memory.putLong(slot + SlotLayout.V6_SRC, p.srcHigh);
            Memory.putLong(slot + SlotLayout.V6_SRC + 8, p.srcLow);
            Memory.putLong(slot + SlotLayout.V6_DST, p.dstHigh);
            Memory.putLong(slot + SlotLayout.V6_DST + 8, p.dstLow);
            rest = slot + SlotLayout.V6_SHIFT;
        }
        Memory.putLong(rest + SlotLayout.V4_PORTS, ports);
        Memory.putLong(rest + SlotLayout.V4_SRC_MAC, source);
        Memory.putLong(rest + SlotLayout.V4_DST_MAC, destination);
        Memory.putLong(rest + SlotLayout.V4_LINK, link);
        Memory.putLong(rest + SlotLayout.V4_LINK + 8, 0);
    }

    /** Returns whether a slot in use holds this flow. */
    static boolean isFlow(
            long slot, PacketHeaders p, long ports, long source, long destination, long link) {
        long rest = p.family == 4 ? slot : slot + SlotLayout.V6_SHIFT;
        return isFiveTuple(slot, p, ports)
                && Memory.getLong(rest + SlotLayout.V4_LINK) == link
                && Memory.getLong(rest + SlotLayout.V4_SRC_MAC) == source
                && Memory.getLong(rest + SlotLayout.V4_DST_MAC) == destination;
    }

    /** Returns whether a slot in use holds a flow of this 5-tuple. */
    static boolean isFiveTuple(long slot, PacketHeaders p, long ports) {
        long rest = slot;
        boolean same;
        if (p.family == 4) {
            same = Memory.getLong(slot + SlotLayout.V4_ADDRESSES) == v4Addresses(p);
        } else {
            same =
                    Memory.getLong(slot + SlotLayout.V6_SRC) == p.srcHigh
                            && Memory.getLong(slot + SlotLayout.V6_SRC + 8) == p.srcLow
                            && Memory.getLong(slot + SlotLayout.V6_DST) == p.dstHigh
                            && Memory.getLong(slot + SlotLayout.V6_DST + 8) == p.dstLow;
            rest = slot + SlotLayout.V6_SHIFT;
        }
        return same
                && Memory.getLong(rest + SlotLayout.V4_PORTS) == ports
                && Memory.getByte(slot + SlotLayout.FAMILY) == p.family;
    }

    /** Writes a packet's tuple, in the form of the {@code full} layout. */
    static void putTuple(long tuple, PacketHeaders p, long deltaNs) {
        Memory.putLong(tuple, pair((int) deltaNs, p.bytes));
        Memory.putLong(tuple + 8, pair(p.frameBytes, p.payloadBytes));
        Memory.putLong(tuple + 16, pair(p.tcpSeq, p.tcpAck));
        int tcp = p.tcpWindow | p.tcpFlags << 16;
        int ip = p.ipTtl | p.ipTos << 8 | (p.fragmentOffset | p.ipFlags << 13) << 16;
        int captured = Math.min(p.captureBytes, GpvLayout.MOST_CAPTURE_BYTES);
        Memory.putLong(tuple + 24, pair(tcp, ip));
        Memory.putLong(tuple + 32, pair(p.ipId, p.icmpType | p.icmpCode << 8 | captured << 16));
        Memory.putLong(tuple + 40, captured >>> 16);
    }

    private static long pair(int low, int high) {
        return low & 0xFFFF_FFFFL | (long) high << 32;
    }
}
