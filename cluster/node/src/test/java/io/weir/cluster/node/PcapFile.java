package io.weir.cluster.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Writes small captures: pcap with nanoseconds, Ethernet, IPv4, UDP or TCP. */
public final class PcapFile {
    /** 2026-11-20T23:40:00Z. */
    public static final long START_NS = 1_795_218_000L * 1_000_000_000L;

    private static final int ETHERNET = 1;
    private static final int HEADERS_BYTES = 14 + 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public PcapFile() {
        ByteBuffer header = little(24);
        header.putInt(0xa1b23c4d).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(65_535).putInt(ETHERNET);
        add(header);
    }

    private void add(ByteBuffer buffer) {
        byte[] added = new byte[buffer.capacity()];
        buffer.rewind().get(added);
        bytes.writeBytes(added);
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A UDP packet of that IP length, at that time after the start. */
    public PcapFile udp(long atNs, int source, int destination, int port, int ipBytes) {
        ByteBuffer frame = ip(source, destination, 17, ipBytes);
        frame.putShort((short) 5353).putShort((short) port).putShort((short) (ipBytes - 20));
        return record(atNs, frame);
    }

    /** A TCP packet without payload. */
    public PcapFile tcp(long atNs, int source, int destination, int port, int flags) {
        ByteBuffer frame = ip(source, destination, 6, 40);
        frame.putShort((short) 40_000).putShort((short) port).putInt(1).putInt(0);
        frame.put((byte) 0x50).put((byte) flags).putShort((short) 1024);
        return record(atNs, frame);
    }

    /** A TCP packet from port 22 to 33, with a place among the bytes, a window, and a payload. */
    public PcapFile segment(
            long atNs, int source, int destination, long seq, int window, int payload) {
        ByteBuffer frame = ip(source, destination, 6, 40 + payload);
        frame.putShort((short) 22).putShort((short) 33).putInt((int) seq).putInt(0);
        frame.put((byte) 0x50).put((byte) 0x10).putShort((short) window);
        return record(atNs, frame);
    }

    /** A frame that is not IP. */
    public PcapFile arp(long atNs) {
        ByteBuffer frame = ByteBuffer.allocate(42);
        frame.position(12);
        frame.putShort((short) 0x0806);
        return record(atNs, frame);
    }

    private static ByteBuffer ip(int source, int destination, int protocol, int ipBytes) {
        ByteBuffer frame = ByteBuffer.allocate(14 + ipBytes);
        frame.position(12);
        frame.putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) ipBytes);
        frame.putInt(0).put((byte) 64).put((byte) protocol).putShort((short) 0);
        frame.putInt(source).putInt(destination);
        frame.position(HEADERS_BYTES);
        return frame;
    }

    private PcapFile record(long atNs, ByteBuffer frame) {
        long ns = START_NS + atNs;
        ByteBuffer header = little(16);
        header.putInt((int) (ns / 1_000_000_000L)).putInt((int) (ns % 1_000_000_000L));
        header.putInt(frame.capacity()).putInt(frame.capacity());
        add(header);
        add(frame);
        return this;
    }

    /** Random UDP packets between few hosts, a millisecond apart. */
    public PcapFile random(long seed, int packets) {
        Random random = new Random(seed);
        for (int i = 0; i < packets; i++) {
            int source = 0x0a000000 + random.nextInt(50);
            int destination = 0x0a010000 + random.nextInt(20);
            udp(i * 1_000_000L, source, destination, random.nextInt(5), 28 + random.nextInt(500));
        }
        return this;
    }

    public Path write(Path file) {
        return write(file, 0);
    }

    /** Leaves the last bytes out. */
    public Path write(Path file, int cutBytes) {
        byte[] whole = bytes.toByteArray();
        try {
            return Files.write(file, java.util.Arrays.copyOf(whole, whole.length - cutBytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
