package io.weir.bench;

import io.weir.bench.generate.PacketView;
import io.weir.bench.generate.TrafficShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * IPv4 traffic as a file of records, one a packet, for systems that know no GPVs. Little endian.
 *
 * <pre>
 *   0 ts 8    8 src_addr 4   12 dst_addr 4   16 src_port 2   18 dst_port 2
 *  20 bytes 4   24 tcp_flags 2   26 proto 1   27 unused 1   28 tcp_seq 4
 * </pre>
 */
final class PacketFile {
    private static final int RECORD_BYTES = 32;

    private PacketFile() {}

    /** Returns the file of the shape's packets, and writes it unless it exists. */
    static Path of(TrafficShape shape, Path directory) throws IOException {
        if (shape.ipv6Percent() != 0) {
            throw new IllegalArgumentException("IPv4 only");
        }
        Path file = directory.resolve(shape.fileName() + ".packets");
        if (!Files.exists(file)) {
            Path part = directory.resolve(shape.fileName() + ".packets.part");
            write(shape, part);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static void write(TrafficShape shape, Path file) throws IOException {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(RECORD_BYTES << 15).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            PacketView.each(
                    shape,
                    packet -> {
                        put(packet, buffer);
                        if (!buffer.hasRemaining()) {
                            drain(buffer, channel);
                        }
                    });
            drain(buffer, channel);
        }
    }

    private static void put(PacketView packet, ByteBuffer to) {
        to.putLong(packet.tsNs());
        to.putInt((int) packet.srcLow()).putInt((int) packet.dstLow());
        to.putShort((short) packet.srcPort()).putShort((short) packet.dstPort());
        to.putInt(packet.bytes());
        to.putShort((short) packet.tcpFlags());
        to.put((byte) packet.proto()).put((byte) 0);
        to.putInt(packet.tcpSeq());
    }

    private static void drain(ByteBuffer buffer, FileChannel channel) {
        try {
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
