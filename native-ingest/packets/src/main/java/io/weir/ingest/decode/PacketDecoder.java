package io.weir.ingest.decode;

import static io.weir.operators.memory.Memory.getByte;
import static io.weir.operators.memory.Memory.getIntBigEndian;
import static io.weir.operators.memory.Memory.getLong;
import static io.weir.operators.memory.Memory.getLongBigEndian;
import static io.weir.operators.memory.Memory.getShortBigEndian;

/**
 * Turns a frame's bytes into the columns of {@code packets}. It reads the outermost IP header and
 * the transport header behind it as far as they are there, never beyond the captured bytes.
 * Stateless; any thread.
 *
 * <p>Most packets are Ethernet, IPv4 without options, TCP or UDP. Straight code reads them here;
 * {@link LinkDecoder} reads all others, with the same result.
 */
public final class PacketDecoder {
    /**
     * The result of {@link #decode} for an IP packet; otherwise it is the code of an {@link
     * Exclusion}.
     */
    public static final int IP_PACKET = -1;

    private static final int ETHERNET = 1;

    /** Bytes 12 to 14 of the frame, as a little endian word: IPv4, header of 20 bytes. */
    private static final int PLAIN_IPV4 = 0x45_00_08;

    private static final int TCP_FRAME_BYTES = 54;
    private static final int UDP_FRAME_BYTES = 42;

    private PacketDecoder() {}

    /**
     * Decodes one frame.
     *
     * @param address of its first captured byte
     * @param capLen captured bytes
     * @param wireLen bytes on the wire
     * @param linkType LINKTYPE_ value
     * @param to filled when IP_PACKET is returned; otherwise without meaning
     */
    public static int decode(
            long address, int capLen, long wireLen, int linkType, PacketHeaders to) {
        to.frameBytes = (int) wireLen;
        to.captureBytes = capLen;
        if (linkType == ETHERNET
                && capLen >= UDP_FRAME_BYTES
                && ((int) getLong(address + 12) & 0xFF_FF_FF) == PLAIN_IPV4
                && (getShortBigEndian(address + 20) & 0x1FFF) == 0) {
            int proto = getByte(address + 23);
            int length = getShortBigEndian(address + 16) & 0xFFFF;
            if (proto == Transport.TCP && capLen >= TCP_FRAME_BYTES && length >= 40) {
                plainIpv4(address, length, to);
                plainTcp(address + 34, length - 20, to);
                return IP_PACKET;
            }
            if (proto == Transport.UDP && length >= 28) {
                plainIpv4(address, length, to);
                plainUdp(length - 20, to);
                return IP_PACKET;
            }
        }
        to.clearLink();
        to.clearTransport();
        return LinkDecoder.decode(address, address + capLen, address + wireLen, linkType, to);
    }

    private static void plainIpv4(long frame, int length, PacketHeaders to) {
        to.clearLink();
        to.dstMac = getLongBigEndian(frame) >>> 16;
        to.srcMac = getLongBigEndian(frame + 6) >>> 16;
        to.etype = LinkDecoder.IPV4;
        to.family = 4;
        to.lengthFrom = PacketHeaders.IP_HEADER;
        to.fragmentOffset = 0;
        to.ipFlags = getByte(frame + 20) >>> 5 & 7;
        to.bytes = length;
        long first = getLongBigEndian(frame + 15);
        to.ipTos = (int) (first >>> 56);
        to.ipId = (int) (first >>> 24) & 0xFFFF;
        to.ipTtl = getByte(frame + 22) & 0xFF;
        to.proto = getByte(frame + 23);
        long addresses = getLongBigEndian(frame + 26);
        to.srcHigh = 0;
        to.dstHigh = 0;
        to.srcLow = addresses >>> 32;
        to.dstLow = addresses & 0xFFFF_FFFFL;
        int ports = getIntBigEndian(frame + 34);
        to.srcPort = ports >>> 16;
        to.dstPort = ports & 0xFFFF;
        to.icmpType = 0;
        to.icmpCode = 0;
        to.gap = 0;
    }

    private static void plainTcp(long tcp, int length, PacketHeaders to) {
        long numbers = getLongBigEndian(tcp + 4);
        to.transportBytes = Transport.TCP_BYTES;
        to.tcpSeq = (int) (numbers >>> 32);
        to.tcpAck = (int) numbers;
        int rest = getIntBigEndian(tcp + 12);
        to.tcpFlags = rest >>> 16 & 0xFF;
        to.tcpWindow = rest & 0xFFFF;
        to.payloadBytes = Math.max(0, length - (rest >>> 28) * 4);
    }

    private static void plainUdp(int length, PacketHeaders to) {
        to.transportBytes = Transport.UDP_BYTES;
        to.tcpSeq = 0;
        to.tcpAck = 0;
        to.tcpFlags = 0;
        to.tcpWindow = 0;
        to.payloadBytes = length - Transport.UDP_BYTES;
    }
}
