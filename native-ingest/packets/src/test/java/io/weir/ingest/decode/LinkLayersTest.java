package io.weir.ingest.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A packet behind every link layer and stack of tags that is read: who built it knows the answer.
 */
class LinkLayersTest {
    private static final int[] LINK_TYPES = {0, 1, 9, 12, 14, 101, 108, 113, 228, 229, 276};
    private static final int[] VLAN_TYPES = {0x8100, 0x88A8, 0x9100, 0x9200};
    private static final long LARGEST_WIRE_LENGTH = 0xFFFF_FFFFL;

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);
    private final PacketHeaders headers = new PacketHeaders();
    private int linkType;
    private boolean v6;
    private int payload;

    /** From the frame's first byte to IP's. */
    private int linkBytes;

    private int vlanId;
    private int vlanPriority;
    private int innerVlanId;
    private int direction;
    private long inIf;
    private int ipFlags;

    @Test
    void findsThePacketBehindAnyOfThem() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long frame = allocator.allocate(4096, MemoryTag.TEST);
            for (int i = 0; i < 50_000; i++) {
                byte[] bytes = frame();
                for (int b = 0; b < bytes.length; b++) {
                    Memory.putByte(frame + b, bytes[b]);
                }
                check(frame, bytes, "seed " + seed + ", frame " + i + " of link type " + linkType);
            }
            allocator.free(frame, 4096, MemoryTag.TEST);
        }
    }

    private byte[] frame() {
        linkType = LINK_TYPES[random.nextInt(LINK_TYPES.length)];
        v6 = linkType == 229 || linkType != 228 && random.nextBoolean();
        payload = random.nextInt(100);
        vlanId = 0;
        vlanPriority = 0;
        innerVlanId = 0;
        direction = 0;
        inIf = -1;
        ipFlags = v6 ? 0 : random.nextInt(8);
        Frames frames = new Frames();
        switch (linkType) {
            case 0, 108 -> frames.raw(0, 0, 0, v6 ? 30 : 2);
            case 1 -> tagged(frames.half(random.nextInt(1 << 16)).raw(new int[10]));
            case 9 -> ppp(random.nextBoolean() ? frames.raw(0xFF, 3) : frames, true);
            case 113 -> tagged(frames.half(packetType()).raw(new int[12]));
            case 276 -> cooked2(frames);
            default -> {} // IP comes first
        }
        linkBytes = frames.array().length;
        return ip(frames).raw(new int[payload]).array();
    }

    private int etherType() {
        return v6 ? 0x86DD : 0x0800;
    }

    /** The type field, and what lies between it and IP. */
    private void tagged(Frames frames) {
        int tags = random.nextInt(4);
        for (int tag = 0; tag < tags; tag++) {
            tag(tag, frames);
        }
        switch (random.nextInt(5)) {
            case 0 -> mpls(frames.half(random.nextBoolean() ? 0x8847 : 0x8848));
            case 1 -> ppp(frames.half(0x8864).raw(0x11, 0, 0, 7, 0, 0), false);
            case 2 -> frames.half(60).raw(0xAA, 0xAA, 3, 0, 0, 0).half(etherType());
            default -> frames.half(etherType());
        }
    }

    private void tag(int number, Frames frames) {
        int id = random.nextInt(4096);
        int bits = random.nextInt(16);
        vlanId = number == 0 ? id : vlanId;
        vlanPriority = number == 0 ? bits >>> 1 : vlanPriority;
        innerVlanId = number == 1 ? id : innerVlanId;
        frames.half(VLAN_TYPES[random.nextInt(VLAN_TYPES.length)]).half(bits << 12 | id);
    }

    private void cooked2(Frames frames) {
        int id = random.nextInt(4096);
        vlanId = id;
        inIf = random.nextInt(256);
        frames.half(0x8100).raw(0, 0, 0, 0, 0, (int) inIf, 0, 0, packetType());
        frames.raw(new int[9]).half(id).half(etherType());
    }

    /** That of Linux: to us, to all, to many, to another host, from us; others are special. */
    private int packetType() {
        int type = random.nextInt(6);
        direction = new int[] {1, 1, 1, 1, 2, 0}[type];
        return type;
    }

    private void ppp(Frames frames, boolean compressible) {
        switch (random.nextInt(4)) {
            case 0 -> mpls(frames.half(0x0281));
            case 1 -> mpls(frames.half(0x0283));
            case 2 -> frames.raw(compressible ? new int[0] : new int[1]).raw(v6 ? 0x57 : 0x21);
            default -> frames.half(v6 ? 0x0057 : 0x0021);
        }
    }

    private void mpls(Frames frames) {
        for (int label = random.nextInt(4); label > 0; label--) {
            frames.half(random.nextInt(1 << 16)).raw(random.nextInt(256) & ~1, 64);
        }
        frames.half(random.nextInt(1 << 16)).raw(random.nextInt(256) | 1, 64);
    }

    private Frames ip(Frames frames) {
        return v6
                ? frames.ipv6(17, 1, 2, 8 + payload).udp(53, 1024, 8 + payload)
                : frames.ipv4(17, 1, 2, 0, ipFlags << 13).udp(53, 1024, 8 + payload);
    }

    /** IPv4's total length is 0, so that its bytes are those of the wire. */
    private void check(long frame, byte[] bytes, String at) {
        long wireLen =
                random.nextBoolean()
                        ? bytes.length
                        : LARGEST_WIRE_LENGTH - (random.nextLong() >>> 33 + random.nextInt(31));
        assertEquals(
                PacketDecoder.IP_PACKET,
                PacketDecoder.decode(frame, bytes.length, wireLen, linkType, headers),
                at);
        long ipBytes = v6 ? 48 + payload : wireLen - linkBytes;
        assertEquals(v6 ? 6 : 4, headers.family, at);
        assertEquals(vlanId, headers.vlanId, at);
        assertEquals(vlanPriority, headers.vlanPriority, at);
        assertEquals(innerVlanId, headers.innerVlanId, at);
        assertEquals(direction, headers.direction, at);
        assertEquals(inIf, headers.inIf, at);
        assertEquals(ipFlags, headers.ipFlags, at);
        assertEquals(bytes.length, headers.captureBytes, at);
        assertEquals(53, headers.srcPort, at);
        assertEquals(wireLen, Integer.toUnsignedLong(headers.frameBytes), at);
        assertEquals(ipBytes, Integer.toUnsignedLong(headers.bytes), at);
        assertEquals(ipBytes - (v6 ? 48 : 28), Integer.toUnsignedLong(headers.payloadBytes), at);
    }
}
