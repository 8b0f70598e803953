package io.weir.ingest.source;

import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;

/**
 * Puts the GPVs of ready blocks into the rings of a source, each into that of its pipeline. The
 * source has checked the blocks, and counts them on the page that this makes. A GPV that starts
 * before the watermark is late as a whole. The source's thread; no allocation per block.
 *
 * <p>It adds two pages to the account: {@code gpv blocks} counts blocks, and {@code gpvs} packets.
 */
public final class GpvInlet {
    private static final GpvLayout[] LAYOUTS = GpvLayout.all().toArray(GpvLayout[]::new);
    private static final int[] COUNTS_AT =
            GpvLayout.all().stream()
                    .mapToInt(layout -> layout.field(GpvLayout.COUNT).orElseThrow().offset())
                    .toArray();
    private static final PacketHeaders NO_HEADERS = new PacketHeaders();

    private static final int FUTURE =
            BlockLayout.SEGMENT_FLAG_LATE | BlockLayout.SEGMENT_FLAG_FUTURE;

    private final PartitionedWriter out;
    private final PacketGate gate;
    private final GpvCursor[] gpvs = new GpvCursor[LAYOUTS.length];
    private final Stage blocks;
    private final Stage packets;
    private final Counter refused;
    private final Counter lostBefore;

    /** Packets of the largest GPV that the rings take, by layout. */
    private final int[] most = new int[LAYOUTS.length];

    private long tooLarge;
    private long untold;
    private long promisedNs = Long.MIN_VALUE;
    private long newestNs = Long.MIN_VALUE;
    private boolean begun;

    /**
     * @param context of the source; its gate must not ask for addresses, as that of slices does
     */
    public GpvInlet(SourceContext context) {
        out = new PartitionedWriter(context.writers());
        gate = context.gate();
        blocks = context.account().stage("gpv blocks");
        packets = context.account().stage("gpvs");
        promisedNs = out.promisedNs();
        refused = packets.lost(CaptureStage.RING_FULL);
        lostBefore = packets.lost("lost_before");
        for (int l = 0; l < gpvs.length; l++) {
            gpvs[l] = new GpvCursor(LAYOUTS[l]);
            most[l] = out.maxCount(LAYOUTS[l]);
        }
    }

    /** Returns the page of blocks. */
    public Stage blocks() {
        return blocks;
    }

    /** The source, and the node, of the blocks that follow. */
    public void source(int source, int nodeSymbol) {
        out.source(source, nodeSymbol);
    }

    /**
     * Takes GPVs. {@link #passTo} then publishes them.
     *
     * @param at address of the first; they lie back to back
     * @param count of GPVs
     * @param lastNs the time of their newest packet
     * @param future whether their times are wrong: windows leave them out
     * @param wallNs the time at which they came, if no packet has told a time before
     */
    public void gpvs(
            int layoutId,
            long at,
            int count,
            int packetCount,
            long lastNs,
            boolean future,
            long wallNs) {
        packets.offered().add(packetCount);
        untold += packetCount;
        GpvLayout layout = LAYOUTS[layoutId];
        boolean big = layout.order() == ByteOrder.BIG_ENDIAN;
        int countAt = COUNTS_AT[layoutId];
        long cameNs = newestNs == Long.MIN_VALUE ? wallNs : newestNs;
        long next = at;
        for (int i = 0; i < count; i++) {
            long from = next + countAt;
            int tuples = 0xFFFF & (big ? Memory.getShortBigEndian(from) : Memory.getShort(from));
            long startNs = big ? Memory.getLongBigEndian(from + 2) : Memory.getLong(from + 2);
            boolean late = startNs < promisedNs;
            int flags = future ? FUTURE : late ? BlockLayout.SEGMENT_FLAG_LATE : 0;
            write(layout, next, tuples, startNs, flags, cameNs);
            next += layout.gpvBytes(tuples);
        }
        if (!future) {
            newestNs = Math.max(newestNs, lastNs);
        }
    }

    /** Packets are known to be lost at a time, as by a gap in what the source counts. */
    public void lost(long count, long atNs) {
        packets.offered().add(count);
        lostBefore.add(count);
        out.lost(gate.lost(promisedNs, count), Math.max(atNs, promisedNs));
    }

    /** Publishes what came, with a watermark. It never goes back. */
    public void passTo(long watermarkNs) {
        promisedNs = Math.max(promisedNs, watermarkNs);
        out.flush(promisedNs);
        tell(untold);
        untold = 0;
    }

    /** Ends the rings. */
    public void end() {
        out.end(newestNs);
        tell(untold);
        untold = 0;
    }

    private void tell(long more) {
        long before = refused.value();
        long dropped = out.droppedPackets();
        refused.add(dropped - before);
        packets.processed().add(more - (dropped - before) - tooLarge);
        tooLarge = 0;
    }

    private void write(GpvLayout layout, long at, int count, long startNs, int flags, long cameNs) {
        if (count > most[layout.id()]) {
            packets.lost("gpv_too_large").add(count);
            tooLarge += count;
            return;
        }
        boolean late = flags != 0;
        begin(late ? cameNs : startNs);
        if (gate != PacketGate.ALL) {
            pass(gpvs[layout.id()].wrap(at), late, cameNs);
        }
        long to = out.claim(at, layout, flags, cameNs, count);
        Memory.copy(at, to, layout.gpvBytes(count));
    }

    private void pass(GpvCursor gpv, boolean late, long cameNs) {
        for (int i = 0; i < gpv.count(); i++) {
            gate.verdict(NO_HEADERS, late ? cameNs : gpv.tsNs(i), late);
        }
    }

    private void begin(long firstNs) {
        if (!begun) {
            begun = true;
            out.begun(firstNs);
        }
    }
}
