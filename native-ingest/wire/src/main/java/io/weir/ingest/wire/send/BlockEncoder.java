package io.weir.ingest.wire.send;

import io.weir.ingest.wire.gpv.WireBlock;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes GPVs into blocks of {@link WireBlock}, as one instance of one source. A block of each
 * layout is open until it is full, or until time goes on. One thread; no allocation after the
 * start.
 *
 * <p>As a host it puts many GPVs into a block, and its watermark. As a switch does, it sends each
 * GPV alone, without a watermark.
 */
final class BlockEncoder {
    private static final int LAYOUTS = GpvLayout.all().size();
    private static final int MOST_PACKETS = 0xFFFF;

    /** No watermark yet. 0 would let the receiver make one from the times. */
    private static final long NONE_YET = 1;

    private final DatagramSink out;
    private final boolean single;
    private final int mostBytes;
    private final ByteBuffer[] open = new ByteBuffer[LAYOUTS];
    private final int[] gpvs = new int[LAYOUTS];
    private final int[] packets = new int[LAYOUTS];
    private int openBlocks;

    /** The layout of the last block; a watermark without GPVs has it, too. */
    private int last;

    private int sequence;
    private long total;
    private long watermarkNs;

    /**
     * @param layout of blocks before the first GPV
     * @param source a number of the sender's own choice
     * @param epoch a number that is another one after each start
     * @param mostBytes of a datagram; one with a single GPV may be longer
     * @param single whether each GPV is sent alone, as switches do
     */
    BlockEncoder(
            int layout,
            int source,
            int instance,
            int epoch,
            int mostBytes,
            boolean single,
            DatagramSink out) {
        last = layout;
        this.out = out;
        this.single = single;
        this.mostBytes = mostBytes;
        watermarkNs = single ? 0 : NONE_YET;
        for (int id = 0; id < LAYOUTS; id++) {
            ByteBuffer block = ByteBuffer.allocateDirect(WireBlock.MOST_BYTES);
            block.putInt(WireBlock.AT_MAGIC, WireBlock.MAGIC);
            block.put(WireBlock.AT_VERSION, (byte) WireBlock.VERSION);
            block.put(WireBlock.AT_LAYOUT, (byte) id);
            block.putShort(WireBlock.AT_INSTANCE, (short) instance);
            block.putInt(WireBlock.AT_SOURCE, source);
            block.putInt(WireBlock.AT_EPOCH, epoch);
            open[id] = block.position(WireBlock.HEADER_BYTES);
        }
    }

    /** Returns whether a datagram can carry a GPV of so many bytes. */
    static boolean fits(int bytes) {
        return WireBlock.HEADER_BYTES + bytes <= WireBlock.MOST_BYTES;
    }

    /**
     * Adds a GPV, which {@link #fits}.
     *
     * @param at the address of its bytes
     */
    void add(int layout, long at, int bytes, int count) {
        boolean full = open[layout].position() + bytes > mostBytes;
        if (gpvs[layout] > 0 && (full || packets[layout] + count > MOST_PACKETS)) {
            send(layout);
        }
        openBlocks += gpvs[layout] == 0 ? 1 : 0;
        gpvs[layout]++;
        packets[layout] += count;
        copy(at, open[layout], bytes);
        if (single) {
            send(layout);
        }
    }

    private static void copy(long from, ByteBuffer to, int bytes) {
        to.order(ByteOrder.nativeOrder());
        int done = 0;
        for (; done + Long.BYTES <= bytes; done += Long.BYTES) {
            to.putLong(Memory.getLong(from + done));
        }
        for (; done < bytes; done++) {
            to.put(Memory.getByte(from + done));
        }
        to.order(ByteOrder.BIG_ENDIAN);
    }

    /** Sends the open blocks. */
    void send() {
        for (int layout = 0; openBlocks > 0; layout++) {
            if (gpvs[layout] > 0) {
                send(layout);
            }
        }
    }

    /** Sends the open blocks, the last one with this watermark. A switch tells none. */
    void passTo(long ns) {
        boolean news = !single && ns > watermarkNs;
        for (int layout = 0; openBlocks > 0; layout++) {
            if (gpvs[layout] > 0) {
                watermarkNs = news && openBlocks == 1 ? ns : watermarkNs;
                send(layout);
            }
        }
        if (news && ns > watermarkNs) {
            watermarkNs = ns;
            send(last);
        }
    }

    /** Packets are lost, which nobody will send. The receiver sees them as a gap. */
    void lost(long count) {
        send();
        sequence += (int) ((count + MOST_PACKETS - 1) / MOST_PACKETS);
        total += count;
    }

    private void send(int layout) {
        ByteBuffer block = open[layout];
        block.putInt(WireBlock.AT_SEQUENCE, sequence);
        block.putShort(WireBlock.AT_GPVS, (short) gpvs[layout]);
        block.putShort(WireBlock.AT_PACKETS, (short) packets[layout]);
        block.putLong(WireBlock.AT_TOTAL, total);
        block.putLong(WireBlock.AT_WATERMARK, watermarkNs);
        out.datagram(block.flip(), packets[layout]);
        block.clear().position(WireBlock.HEADER_BYTES);
        last = layout;
        openBlocks -= gpvs[layout] > 0 ? 1 : 0;
        sequence++;
        total += packets[layout];
        gpvs[layout] = 0;
        packets[layout] = 0;
    }
}
