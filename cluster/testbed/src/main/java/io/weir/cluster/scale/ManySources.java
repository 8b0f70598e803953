package io.weir.cluster.scale;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a capture with any number of sources, a packet of each, all within a second. */
final class ManySources {
    static final long START_NS = 1_795_218_000L * 1_000_000_000L;

    private static final int FRAME_BYTES = 42;
    private static final int ETHERNET = 1;
    private static final int FIRST_SOURCE = 0x0A000001;
    private static final int DESTINATION = 0xC0A80001;
    private static final long SPAN_NS = 900_000_000L;

    private ManySources() {}

    static Path write(Path file, int sources) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(0xa1b23c4d).putShort((short) 2).putShort((short) 4);
            header.putInt(0).putInt(0).putInt(65_535).putInt(ETHERNET);
            out.write(header.array());
            ByteBuffer record = ByteBuffer.allocate(16 + FRAME_BYTES);
            for (int i = 0; i < sources; i++) {
                long ns = START_NS + SPAN_NS * i / sources;
                record.clear().order(ByteOrder.LITTLE_ENDIAN);
                record.putInt((int) (ns / 1_000_000_000L)).putInt((int) (ns % 1_000_000_000L));
                record.putInt(FRAME_BYTES).putInt(FRAME_BYTES);
                record.order(ByteOrder.BIG_ENDIAN);
                frame(record, FIRST_SOURCE + i);
                out.write(record.array());
            }
        }
        return file;
    }

    /** Writes UDP without payload. */
    private static void frame(ByteBuffer into, int source) {
        into.putLong(0).putInt(0).putShort((short) 0x0800);
        into.put((byte) 0x45).put((byte) 0).putShort((short) 28).putInt(0);
        into.put((byte) 64).put((byte) 17).putShort((short) 0).putInt(source).putInt(DESTINATION);
        into.putShort((short) 5353).putShort((short) 53).putShort((short) 8).putShort((short) 0);
    }
}
