package io.weir.ingest.wire.gpv;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Puts datagrams into frames of Ethernet, with up to two tags, over IPv4 or IPv6. */
final class GpvFrames {
    private static final int UDP = 17;

    private GpvFrames() {}

    /** Returns a whole frame, of 60 bytes at least. */
    static byte[] frame(Random random, String from, int toPort, byte[] datagram) {
        byte[] sender = address(from);
        int tags = random.nextInt(3);
        int ip = sender.length == 4 ? 20 + 4 * random.nextInt(3) : 40;
        int bytes = 14 + 4 * tags + ip + 8 + datagram.length;
        ByteBuffer out = ByteBuffer.allocate(Math.max(60, bytes));
        out.position(12);
        for (int i = 0; i < tags; i++) {
            out.putShort((short) (i == 0 && tags == 2 ? 0x88A8 : 0x8100)).putShort((short) 7);
        }
        out.putShort((short) (sender.length == 4 ? 0x0800 : 0x86DD));
        if (sender.length == 4) {
            out.put((byte) (0x40 | ip / 4)).put((byte) 0);
            out.putShort((short) (ip + 8 + datagram.length)).putShort((short) 1);
            out.putShort((short) 0x4000).put((byte) 64).put((byte) UDP).putShort((short) 0);
            out.put(sender).putInt(0x0A000001);
            out.position(out.position() + ip - 20);
        } else {
            out.putInt(0x60000000).putShort((short) (8 + datagram.length));
            out.put((byte) UDP).put((byte) 64).put(sender).put(new byte[16]);
        }
        out.putShort((short) 4000).putShort((short) toPort);
        out.putShort((short) (8 + datagram.length)).putShort((short) 0).put(datagram);
        return out.array();
    }

    /** Returns the place of IP in a frame. */
    static int ip(byte[] frame) {
        int at = 12;
        while (type(frame, at) != 0x0800 && type(frame, at) != 0x86DD) {
            at += 4;
        }
        return at + 2;
    }

    private static int type(byte[] frame, int at) {
        return (frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF;
    }

    @SuppressWarnings("AddressSelection") // it is a number, and has one address
    private static byte[] address(String text) {
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
