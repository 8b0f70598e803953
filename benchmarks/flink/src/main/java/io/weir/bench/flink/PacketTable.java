package io.weir.bench.flink;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The file of packets ({@code io.weir.bench.PacketFile} has the diagram), mapped. */
final class PacketTable {
    private static final int RECORD_BYTES = 32;
    private static final int CHUNK_PACKETS = 1 << 24;

    private final List<MappedByteBuffer> chunks = new ArrayList<>();
    private final int packets;

    PacketTable(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long chunkBytes = (long) CHUNK_PACKETS * RECORD_BYTES;
            for (long at = 0; at < channel.size(); at += chunkBytes) {
                long length = Math.min(chunkBytes, channel.size() - at);
                MappedByteBuffer chunk = channel.map(MapMode.READ_ONLY, at, length).load();
                chunk.order(ByteOrder.LITTLE_ENDIAN);
                chunks.add(chunk);
            }
            packets = Math.toIntExact(channel.size() / RECORD_BYTES);
        }
    }

    int packets() {
        return packets;
    }

    void read(int packet, Packet into) {
        MappedByteBuffer chunk = chunks.get(packet / CHUNK_PACKETS);
        int at = packet % CHUNK_PACKETS * RECORD_BYTES;
        into.tsNs = chunk.getLong(at);
        into.srcAddr = chunk.getInt(at + 8) & 0xffff_ffffL;
        into.dstAddr = chunk.getInt(at + 12) & 0xffff_ffffL;
        into.srcPort = chunk.getShort(at + 16) & 0xffff;
        into.dstPort = chunk.getShort(at + 18) & 0xffff;
        into.bytes = chunk.getInt(at + 20);
        into.tcpFlags = chunk.getShort(at + 24) & 0xffff;
        into.proto = chunk.get(at + 26) & 0xff;
    }
}
