package io.weir.bench.generate;

import java.nio.ByteBuffer;

/**
 * Packets of bursts as Ethernet frames, big endian, with valid IPv4 header checksums. Stateless.
 */
final class Frame {
    static final long SRC_MAC = 0x0200_0000_0001L;
    static final long DST_MAC = 0x0200_0000_0002L;
    static final int TCP_WINDOW = 64_240;
    static final int ETHERNET_BYTES = 14;

    /** The most bytes of the headers that {@link #write} writes. */
    static final int MOST_HEADER_BYTES = ETHERNET_BYTES + 40 + 20;

    /** The most bytes of the headers of an IPv4 packet. */
    static final int IPV4_HEADER_BYTES = ETHERNET_BYTES + 20 + 20;

    private Frame() {}

    static int etype(int family) {
        return family == 4 ? 0x0800 : 0x86dd;
    }

    /** Writes the headers of packet {@code i}. */
    static void write(ByteBuffer to, Burst burst, int i) {
        to.putLong(DST_MAC << 16 | SRC_MAC >>> 32);
        to.putInt((int) SRC_MAC);
        to.putShort((short) etype(burst.family));
        if (burst.family == 4) {
            ipv4(to, burst, i);
        } else {
            ipv6(to, burst, i);
        }
        if (burst.proto == Burst.TCP) {
            tcp(to, burst, i);
        } else {
            udp(to, burst, i);
        }
    }

    private static void ipv4(ByteBuffer to, Burst burst, int i) {
        int start = to.position();
        to.putInt(0x4500 << 16 | burst.bytes[i]);
        to.putInt((burst.ipId + i & 0xffff) << 16);
        to.putInt(burst.ttl << 24 | burst.proto << 16);
        to.putInt((int) burst.srcLow);
        to.putInt((int) burst.dstLow);
        int sum = 0;
        for (int at = start; at < to.position(); at += Short.BYTES) {
            sum += Short.toUnsignedInt(to.getShort(at));
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum += sum >>> 16;
        to.putShort(start + 10, (short) ~sum);
    }

    private static void ipv6(ByteBuffer to, Burst burst, int i) {
        to.putInt(0x6000_0000);
        to.putInt(burst.bytes[i] - 40 << 16 | burst.proto << 8 | burst.ttl);
        to.putLong(burst.srcHigh).putLong(burst.srcLow);
        to.putLong(burst.dstHigh).putLong(burst.dstLow);
    }

    private static void tcp(ByteBuffer to, Burst burst, int i) {
        to.putInt(burst.srcPort << 16 | burst.dstPort);
        to.putInt(burst.tcpSeq[i]).putInt(burst.tcpAck);
        to.putInt(0x5000 << 16 | burst.tcpFlags[i] << 16 | TCP_WINDOW);
        to.putInt(0);
    }

    private static void udp(ByteBuffer to, Burst burst, int i) {
        int ipHeaderBytes = burst.family == 4 ? 20 : 40;
        to.putInt(burst.srcPort << 16 | burst.dstPort);
        to.putInt(burst.bytes[i] - ipHeaderBytes << 16);
    }
}
