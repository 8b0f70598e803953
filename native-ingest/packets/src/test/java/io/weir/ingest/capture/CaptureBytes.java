package io.weir.ingest.capture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes captures for tests, byte by byte as the drafts say. */
public final class CaptureBytes {
    public static final int MICROSECONDS = 0xA1B2C3D4;
    public static final int NANOSECONDS = 0xA1B23C4D;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteOrder order;

    public CaptureBytes(ByteOrder order) {
        this.order = order;
    }

    /** A pcap file's header. */
    public CaptureBytes pcap(int magic, int snapLen, int linkType) {
        return ints(magic).shorts(2, 4).ints(0, 0, snapLen, linkType);
    }

    /** A pcap record. */
    public CaptureBytes record(long seconds, int fraction, byte[] packet, int wireLen) {
        return ints((int) seconds, fraction, packet.length, wireLen).raw(packet);
    }

    /** A pcapng section header. */
    public CaptureBytes section() {
        return block(0x0A0D0D0A, body().ints(0x1A2B3C4D).shorts(1, 0).ints(-1, -1));
    }

    /** A pcapng interface description with a time resolution and offset. */
    public CaptureBytes networkInterface(int linkType, int resolution, long offsetSeconds) {
        CaptureBytes body = body().shorts(linkType, 0).ints(65535);
        body.shorts(9, 1).raw(new byte[] {(byte) resolution, 0, 0, 0});
        body.shorts(14, 8).longs(offsetSeconds).shorts(0, 0);
        return block(1, body);
    }

    /** A pcapng enhanced packet block. */
    public CaptureBytes enhanced(int interfaceIndex, long units, byte[] packet, int wireLen) {
        CaptureBytes body = body().ints(interfaceIndex, (int) (units >>> 32), (int) units);
        return block(6, body.ints(packet.length, wireLen).raw(packet));
    }

    /** The same, whose options say how many packets were dropped before it. */
    public CaptureBytes enhancedAfterDrops(
            int interfaceIndex, long units, byte[] packet, long dropped) {
        CaptureBytes body = body().ints(interfaceIndex, (int) (units >>> 32), (int) units);
        body.ints(packet.length, packet.length).raw(packet).pad();
        body.shorts(2, 4).ints(1); // flags
        return block(6, body.shorts(4, 8).longs(dropped).shorts(0, 0));
    }

    /** Makes the same block with these flags. */
    public CaptureBytes enhancedWithFlags(
            int interfaceIndex, long units, byte[] packet, int flags) {
        CaptureBytes body = body().ints(interfaceIndex, (int) (units >>> 32), (int) units);
        body.ints(packet.length, packet.length).raw(packet).pad();
        return block(6, body.shorts(2, 4).ints(flags).shorts(0, 0));
    }

    /** An obsolete pcapng packet block. */
    public CaptureBytes obsolete(int interfaceIndex, long units, byte[] packet, int dropped) {
        CaptureBytes body = body().shorts(interfaceIndex, dropped);
        body.ints((int) (units >>> 32), (int) units);
        return block(2, body.ints(packet.length, packet.length).raw(packet));
    }

    /** Pcapng interface statistics. */
    public CaptureBytes statistics(int interfaceIndex, long received, long dropped, long bySystem) {
        CaptureBytes body = body().ints(interfaceIndex, 0, 0);
        body.shorts(4, 8).longs(received).shorts(5, 8).longs(dropped);
        return block(5, body.shorts(7, 8).longs(bySystem).shorts(0, 0));
    }

    private void pad() {
        while (bytes.size() % 4 != 0) {
            bytes.write(0);
        }
    }

    /** Any pcapng block. */
    public CaptureBytes block(int type, CaptureBytes body) {
        body.pad();
        int length = body.bytes.size() + 12;
        return ints(type, length).raw(body.bytes.toByteArray()).ints(length);
    }

    /** An empty piece of the same byte order. */
    public CaptureBytes body() {
        return new CaptureBytes(order);
    }

    public CaptureBytes ints(int... values) {
        for (int value : values) {
            raw(ByteBuffer.allocate(4).order(order).putInt(value).array());
        }
        return this;
    }

    public CaptureBytes shorts(int... values) {
        for (int value : values) {
            raw(ByteBuffer.allocate(2).order(order).putShort((short) value).array());
        }
        return this;
    }

    public CaptureBytes longs(long... values) {
        for (long value : values) {
            raw(ByteBuffer.allocate(8).order(order).putLong(value).array());
        }
        return this;
    }

    public CaptureBytes raw(byte[] piece) {
        bytes.writeBytes(piece);
        return this;
    }

    public byte[] array() {
        return bytes.toByteArray();
    }

    public Path in(Path folder, String name) {
        try {
            return Files.write(folder.resolve(name), array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
