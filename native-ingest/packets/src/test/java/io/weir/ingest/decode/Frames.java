package io.weir.ingest.decode;

import java.nio.ByteBuffer;

/** Makes frames for tests: a header at a time, outermost first. */
public final class Frames {
    private final ByteBuffer bytes = ByteBuffer.allocate(4096);

    public Frames ethernet(int type) {
        bytes.put(new byte[] {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2});
        return half(type);
    }

    public Frames vlan(int id, int type) {
        return half(id).half(type);
    }

    /** An IPv4 header of 20 bytes; {@code fragment} is flags and offset as they stand. */
    public Frames ipv4(int proto, int src, int dst, int totalLength, int fragment) {
        bytes.put((byte) 0x45).put((byte) 0xB8);
        half(totalLength).half(0x1234).half(fragment);
        bytes.put((byte) 64).put((byte) proto);
        half(0);
        bytes.putInt(src).putInt(dst);
        return this;
    }

    public Frames ipv6(int next, long src, long dst, int payloadLength) {
        bytes.putInt(0x6AB0_0000);
        half(payloadLength);
        bytes.put((byte) next).put((byte) 63);
        bytes.putLong(0x2001_0DB8_0000_0000L).putLong(src);
        bytes.putLong(0x2001_0DB8_0000_0000L).putLong(dst);
        return this;
    }

    public Frames tcp(int srcPort, int dstPort, int seq, int flags) {
        half(srcPort).half(dstPort);
        bytes.putInt(seq).putInt(seq + 1);
        bytes.put((byte) 0x50).put((byte) flags);
        return half(1000).half(0).half(0);
    }

    public Frames udp(int srcPort, int dstPort, int length) {
        return half(srcPort).half(dstPort).half(length).half(0);
    }

    public Frames half(int value) {
        bytes.putShort((short) value);
        return this;
    }

    public Frames raw(int... values) {
        for (int value : values) {
            bytes.put((byte) value);
        }
        return this;
    }

    public byte[] array() {
        byte[] frame = new byte[bytes.position()];
        bytes.get(0, frame);
        return frame;
    }
}
