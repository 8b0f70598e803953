package io.weir.ingest.wire.gpv;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A switch made of software: the packets of a capture, grouped by Weir's own cache, as datagrams of
 * one GPV each.
 */
final class CaptureBlocks {
    private final Consumer<byte[]> wire;
    private final BlockCursor block = new BlockCursor(true);
    private int sequence;
    private long total;

    private CaptureBlocks(Consumer<byte[]> wire) {
        this.wire = wire;
    }

    /**
     * Sends a whole capture.
     *
     * @param end gets the packets as text, too
     */
    static void send(Path capture, String layout, RingEnd end, Consumer<byte[]> wire) {
        CaptureBlocks sender = new CaptureBlocks(wire);
        end.tap(sender::block);
        SourceSpec spec = SourceSpec.pcap("switch", capture);
        try (Source source = Sources.open(List.of(spec), end.context(layout, () -> 0))) {
            while (source.step()) {
                end.read();
            }
            end.read();
        }
    }

    private void block(long at, int length) {
        if (block.wrap(at, length) != BlockFault.NONE) {
            throw new AssertionError("a faulty block of the cache");
        }
        while (block.nextSegment()) {
            GpvCursor gpv = new GpvCursor(GpvLayout.all().get(block.layoutId()));
            long next = block.gpvsAddress();
            for (int i = 0; i < block.gpvs(); i++) {
                gpv.wrap(next);
                wire.accept(datagram(gpv, next));
                next += gpv.gpvBytes();
            }
        }
    }

    private byte[] datagram(GpvCursor gpv, long at) {
        byte[] bytes = new byte[WireBlock.HEADER_BYTES + gpv.gpvBytes()];
        ByteBuffer out = ByteBuffer.wrap(bytes);
        out.putInt(WireBlock.MAGIC).put((byte) WireBlock.VERSION).put((byte) gpv.layout().id());
        out.putShort((short) 0).putInt(1).putInt(77).putInt(sequence);
        out.putShort((short) 1).putShort((short) gpv.count()).putLong(total).putLong(0);
        for (int i = 0; i < gpv.gpvBytes(); i++) {
            out.put(Memory.getByte(at + i));
        }
        sequence++;
        total += gpv.count();
        return bytes;
    }
}
