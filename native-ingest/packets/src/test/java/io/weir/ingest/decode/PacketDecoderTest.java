package io.weir.ingest.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacketDecoderTest {
    private static final int SRC = 0x0A00_0001;
    private static final int DST = 0xC000_0201;

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final long frame = allocator.allocate(4096, MemoryTag.TEST);
    private final PacketHeaders headers = new PacketHeaders();

    @AfterEach
    void free() {
        allocator.free(frame, 4096, MemoryTag.TEST);
        allocator.close();
    }

    private void put(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            Memory.putByte(frame + i, bytes[i]);
        }
    }

    private int decode(int linkType, Frames frames, int wireLen) {
        byte[] bytes = frames.array();
        put(bytes);
        return PacketDecoder.decode(frame, bytes.length, wireLen, linkType, headers);
    }

    private static Map<String, Object> values(PacketHeaders headers) {
        Map<String, Object> values = new TreeMap<>();
        try {
            for (Field field : PacketHeaders.class.getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    values.put(field.getName(), field.get(headers));
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return values;
    }

    private static Frames random(Random random) {
        int tag = random.nextInt(8);
        Frames frames = new Frames().ethernet(tag == 0 ? 0x8100 : 0x0800);
        if (tag == 0) {
            frames.vlan(random.nextInt(65536), 0x0800);
        }
        int payload = random.nextInt(30);
        boolean tcp = random.nextBoolean();
        int proto = random.nextInt(6) == 0 ? random.nextInt(256) : tcp ? 6 : 17;
        int fragment = random.nextInt(4) == 0 ? random.nextInt(65536) : 0x4000;
        frames.ipv4(proto, SRC, DST, 20 + (tcp ? 20 : 8) + payload, fragment);
        if (tcp) {
            frames.tcp(1, 65535, -2, random.nextInt(256));
        } else {
            frames.udp(53, 1024, payload);
        }
        return frames.raw(new int[payload]);
    }

    private static byte[] mutated(Random random) {
        byte[] bytes = random(random).array();
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        return Arrays.copyOf(bytes, length);
    }

    @Test
    void shortPathEqualsTheLongOne() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        PacketHeaders other = new PacketHeaders();
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = mutated(random);
            put(bytes);
            int wireLen = bytes.length + random.nextInt(2);
            int code = PacketDecoder.decode(frame, bytes.length, wireLen, 1, headers);
            other.frameBytes = wireLen;
            other.captureBytes = bytes.length;
            other.clearLink();
            other.clearTransport();
            int slow = LinkDecoder.decode(frame, frame + bytes.length, frame + wireLen, 1, other);
            assertEquals(slow, code, "seed " + seed + ", frame " + i);
            if (code == PacketDecoder.IP_PACKET) {
                assertEquals(values(other), values(headers), "seed " + seed + ", frame " + i);
            }
        }
    }

    /** The last packet of a file whose pages end with it: a byte read beyond it kills the JVM. */
    @Test
    void readsNothingBeyondTheCapturedBytes(@TempDir Path folder) {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        int[] linkTypes = {0, 1, 9, 12, 101, 108, 113, 228, 229, 276};
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = mutated(random);
            int linkType = linkTypes[random.nextInt(linkTypes.length)];
            CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
            pcap.pcap(CaptureBytes.MICROSECONDS, 65535, linkType);
            int filler = 4096 - 24 - 16 - 16 - bytes.length;
            pcap.record(1, 0, new byte[filler], filler).record(1, 0, bytes, bytes.length);
            try (CaptureFile file = Captures.open(pcap.in(folder, "page"))) {
                assertTrue(file.next(), "seed " + seed);
                assertTrue(file.next(), "seed " + seed);
                PacketDecoder.decode(
                        file.address(), file.capLen(), file.wireLen(), linkType, headers);
                assertFalse(file.next(), "seed " + seed);
            }
        }
    }

    @Test
    void readsEveryColumnOfATaggedTcpPacket() {
        Frames frames = new Frames().ethernet(0x88A8).vlan(0xE064, 0x8100).vlan(7, 0x0800);
        frames.ipv4(6, SRC, DST, 44, 0x4000).tcp(1234, 443, -5, 0x18).raw(1, 2, 3, 4);
        assertEquals(PacketDecoder.IP_PACKET, decode(1, frames, 70));
        assertEquals(
                "{bytes=44, captureBytes=66, direction=0, dstHigh=0, dstLow=3221225985, dstMac=2199023255553, dstPort=443,"
                        + " encapsulation=0, etype=2048, family=4, fragmentOffset=0, frameBytes=70,"
                        + " gap=0, icmpCode=0, icmpType=0, inIf=-1, innerVlanId=7, ipFlags=2, ipId=4660,"
                        + " ipTos=184, ipTtl=64,"
                        + " lengthFrom=0, payloadBytes=4, proto=6, srcHigh=0, srcLow=167772161,"
                        + " srcMac=2199023255554, srcPort=1234, tcpAck=-4, tcpFlags=24, tcpSeq=-5,"
                        + " tcpWindow=1000, transportBytes=20, vlanId=100, vlanPriority=7}",
                values(headers).toString());
    }

    @Test
    void takesTheWireLengthWhereTotalLengthIsZero() {
        Frames frames = new Frames().ethernet(0x0800).ipv4(6, SRC, DST, 0, 0);
        assertEquals(PacketDecoder.IP_PACKET, decode(1, frames.tcp(1, 2, 3, 0x10), 9014));
        assertEquals(9000, headers.bytes);
        assertEquals(8960, headers.payloadBytes);
        assertEquals(PacketHeaders.WIRE, headers.lengthFrom);
        assertEquals(2, headers.dstPort);
    }

    @Test
    void walksIpv6Extensions() {
        Frames frames = new Frames().ethernet(0x86DD).ipv6(0, 1, 2, 8 + 16 + 8 + 12);
        frames.raw(60, 0, 0, 0, 0, 0, 0, 0).raw(44, 1).raw(new int[14]);
        frames.raw(17, 0, 0, 0, 0xDE, 0xAD, 0xBE, 0xEF).udp(53, 54, 12).raw(1, 2, 3, 4);
        assertEquals(PacketDecoder.IP_PACKET, decode(1, frames, 200));
        assertEquals(17, headers.proto);
        assertEquals(54, headers.dstPort);
        assertEquals(0xDEAD_BEEF, headers.ipId);
        assertEquals(4, headers.payloadBytes);
        assertEquals(0xAB, headers.ipTos);
        Frames later = new Frames().ipv6(44, 1, 2, 16).raw(17, 0, 0, 8, 0, 0, 0, 1).udp(1, 2, 8);
        assertEquals(PacketDecoder.IP_PACKET, decode(229, later, 56));
        assertEquals(1, headers.fragmentOffset);
        assertEquals(0, headers.dstPort);
        assertEquals(8, headers.payloadBytes);
    }

    /** A jumbogram, what segmentation offload leaves, and a packet that has nothing. */
    @Test
    void takesAnotherLengthWhereThatOfIpv6IsZero() {
        Frames jumbo = new Frames().ethernet(0x86DD).ipv6(0, 1, 2, 0);
        jumbo.raw(6, 0, 0xC2, 4, 0, 1, 0x86, 0xA0).tcp(1, 443, 3, 0x10);
        length(jumbo, PacketHeaders.JUMBO_OPTION, 40 + 100_000, 100_000 - 8 - 20, 443);
        Frames wrong = new Frames().ethernet(0x86DD).ipv6(0, 1, 2, 0);
        wrong.raw(6, 0, 0xC2, 4, 0, 0, 0, 28).tcp(1, 443, 3, 0x10);
        length(wrong, PacketHeaders.WIRE, 9000, 9000 - 48 - 20, 443);
        Frames segmented = new Frames().ethernet(0x86DD).ipv6(6, 1, 2, 0).tcp(1, 80, 3, 0x10);
        length(segmented, PacketHeaders.WIRE, 9000, 9000 - 60, 80);
        Frames nothing = new Frames().ethernet(0x86DD).ipv6(59, 1, 2, 0).raw(0, 0, 0, 0, 0, 0);
        length(nothing, PacketHeaders.IP_HEADER, 40, 0, 0);
    }

    private void length(Frames frames, int from, int bytes, int payloadBytes, int dstPort) {
        assertEquals(PacketDecoder.IP_PACKET, decode(1, frames, 9014));
        assertEquals(from, headers.lengthFrom);
        assertEquals(bytes, headers.bytes);
        assertEquals(payloadBytes, headers.payloadBytes);
        assertEquals(dstPort, headers.dstPort);
    }

    @Test
    void namesTheProtocolThatIsNotIp() {
        foreign("EtherType 0x88cc (LLDP)", 1, new Frames().ethernet(0x88CC));
        foreign("EtherType 0x1234", 1, new Frames().ethernet(0x8100).vlan(7, 0x1234));
        foreign("LLC 0x4242 (STP)", 1, new Frames().ethernet(38).raw(0x42, 0x42, 3));
        foreign("PPP protocol 0xc021 (LCP)", 9, new Frames().raw(0xFF, 3, 0xC0, 0x21));
        foreign("IP version 9", 0, new Frames().raw(0, 0, 0, 2, 0x90));
        foreign("802.11 frame 0x0080 (beacon)", 105, new Frames().raw(0x80, 0));
        assertEquals("192 (PPI)", LinkTypes.text(192));
        assertEquals("147", LinkTypes.text(147));
    }

    private void foreign(String name, int linkType, Frames frames) {
        excluded(Exclusion.NOT_IP, linkType, frames);
        assertEquals(name, Foreign.text(headers.foreign()));
    }

    @Test
    void saysWhyAFrameIsNoIpPacket() {
        excluded(Exclusion.ARP, 1, new Frames().ethernet(0x0806));
        excluded(Exclusion.NOT_IP, 1, new Frames().ethernet(0x88CC));
        excluded(Exclusion.NOT_IP, 1, new Frames().ethernet(38).raw(0x42, 0x42, 3));
        excluded(Exclusion.UNKNOWN_LINK_TYPE, 192, new Frames().ethernet(0x0800));
        excluded(Exclusion.L2_CUT, 1, new Frames().raw(1, 2, 3));
        excluded(Exclusion.L2_CUT, 1, new Frames().ethernet(0x8100).half(5));
        excluded(Exclusion.IP_VERSION, 1, new Frames().ethernet(0x0800).raw(0x65));
        excluded(Exclusion.IP_VERSION, 1, new Frames().ethernet(0x86DD).raw(0x45));
        excluded(Exclusion.IP_HEADER_LENGTH, 1, new Frames().ethernet(0x0800).raw(0x44));
        excluded(Exclusion.IP_CUT, 1, new Frames().ethernet(0x0800).raw(0x45, 0, 0));
        excluded(Exclusion.IP_CUT, 229, new Frames().raw(0x60, 0, 0));
        for (int code = 0; code < Exclusion.count(); code++) {
            assertEquals(code, Exclusion.of(code).code());
        }
    }

    private void excluded(Exclusion expected, int linkType, Frames frames) {
        assertEquals(expected.code(), decode(linkType, frames, 60));
    }
}
