package io.weir.operators.node;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.pipeline.QueryAttachment;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.Losses;
import io.weir.operators.result.WindowMerger;
import io.weir.operators.result.WindowPart;
import io.weir.operators.time.Stopwatch;

/** Runs one state on one pipeline and hands its windows over. The pipeline's thread. */
final class AttachedQuery implements QueryAttachment {
    private final String query;
    private final WindowMerger merger;
    private final int pipeline;
    private final boolean skipsLate;
    private final boolean windowed;
    private final LedgerBook ledgers;
    private final QueryState state;
    private final CostSamples samples;
    private final Runnable onOverflow;
    private final Runnable onFinished;
    private WindowHandover handover;
    private long advancedNs = Long.MIN_VALUE;
    private long toldStateFull;
    private long toldProcessed;
    private int segments;
    private int blocks;
    private boolean finished;

    /** The state's native memory at the first block after the last request for it. */
    private volatile long bytes;

    private volatile boolean bytesAsked = true;

    /**
     * @param query the query's name, for people
     * @param skipsLate whether late packets are left out for any query. The pipelines' shape
     *     decides which of them come before the query's end
     * @param windowed whether it has windows, which leave late packets out
     * @param samples gets samples of its work
     * @param onOverflow runs once, when there is no room, instead of going on; null to go on
     * @param onFinished called when the state was freed
     */
    AttachedQuery(
            String query,
            WindowMerger merger,
            int pipeline,
            boolean skipsLate,
            boolean windowed,
            LedgerBook ledgers,
            WindowHandover handover,
            QueryState state,
            CostSamples samples,
            Runnable onOverflow,
            Runnable onFinished) {
        this.query = query;
        this.merger = merger;
        this.pipeline = pipeline;
        this.skipsLate = skipsLate;
        this.windowed = windowed;
        this.ledgers = ledgers;
        this.handover = handover;
        this.onOverflow = onOverflow;
        this.onFinished = onFinished;
        this.state = state;
        this.samples = samples;
    }

    @Override
    public void begin(long watermarkNs) {
        merger.seen().begun(watermarkNs);
    }

    @Override
    public void segment(
            int layoutId,
            int flags,
            int nodeSymbol,
            long address,
            int gpvs,
            int packets,
            long cameNs) {
        if (finished) {
            return;
        }
        if (skipsLate && (flags & BlockLayout.SEGMENT_FLAG_LATE) != 0) {
            ledgers.skippedLate(packets);
        } else {
            count(layoutId, flags, nodeSymbol, address, gpvs, packets, cameNs);
        }
    }

    /** One segment of 64 is measured. */
    private void count(
            int layoutId,
            int flags,
            int nodeSymbol,
            long address,
            int gpvs,
            int packets,
            long cameNs) {
        if ((++segments & CostSamples.MASK) != 1) {
            state.segment(layoutId, flags, nodeSymbol, address, gpvs, cameNs);
            return;
        }
        Stopwatch took = Stopwatch.started();
        state.segment(layoutId, flags, nodeSymbol, address, gpvs, cameNs);
        samples.kernel(took.ns(), packets);
    }

    /** Windows tell late packets as late, whether or not they came this far. */
    @Override
    public void lost(long timeNs, long packets, boolean late) {
        if (!finished && !(late && windowed)) {
            put(WindowPart.loss(pipeline, timeNs, packets));
        }
    }

    @Override
    public void advance(long watermarkNs, long newLostPackets) {
        if (finished) {
            return;
        }
        if (onOverflow != null && state.packetsStateFull() > 0) {
            fail();
            return;
        }
        if (newLostPackets > 0) {
            put(WindowPart.loss(pipeline, advancedNs, newLostPackets));
        }
        advancedNs = watermarkNs;
        if ((++blocks & CostSamples.MASK) == 1) {
            Stopwatch took = Stopwatch.started();
            advance(watermarkNs);
            samples.advance(took.ns(), state.bytes());
        } else {
            advance(watermarkNs);
        }
        ledgers.update(state);
        if (bytesAsked) {
            bytesAsked = false;
            bytes = state.bytes();
        }
    }

    private void advance(long watermarkNs) {
        state.advance(watermarkNs);
        handOver();
    }

    /** Returns the name of the query; for a shared state that of the first one. Any thread. */
    String query() {
        return query;
    }

    /** Returns the state's native memory a little while ago. Any thread. */
    long bytes() {
        bytesAsked = true;
        return bytes;
    }

    private void handOver() {
        for (PartialWindow w = state.nextWindow(); w != null; w = state.nextWindow()) {
            put(closed(w));
        }
    }

    private void put(WindowPart part) {
        handover.put(new ClosedWindow(merger, part));
    }

    private WindowPart closed(PartialWindow window) {
        Partial groups = window.groups();
        if (groups.isEmpty() && groups.groupsLost() == 0) {
            // The window reports missing groups. It may make no row; then the next window reports
            // the packets.
            return WindowPart.of(pipeline, window, Losses.NONE, 0);
        }
        long lost = state.packetsStateFull() - toldStateFull;
        long processed = state.packetsProcessed() - toldProcessed;
        toldStateFull = state.packetsStateFull();
        toldProcessed = state.packetsProcessed();
        return WindowPart.of(pipeline, window, Losses.of(lost), processed);
    }

    @Override
    public void finish() {
        if (!finished) {
            if (onOverflow != null && state.packetsStateFull() > 0) {
                fail();
                return;
            }
            finished = true;
            // It is MAX_VALUE at the end of the packets. The sources then know the time.
            merger.seen().until(advancedNs);
            state.finish();
            handOver();
            end(0);
        }
    }

    /** Ends without a further window. The results are told before they see any earlier window. */
    private void fail() {
        finished = true;
        onOverflow.run();
        end(state.packetsProcessed() - toldProcessed);
    }

    private void end(long open) {
        ledgers.update(state);
        put(WindowPart.last(pipeline, open));
        state.close();
        onFinished.run();
    }

    /** Finishes the state of an ended pipeline on the results' thread. */
    void finishOn(WindowHandover results) {
        handover = results;
        finish();
    }

    /**
     * Frees a state that never finished, because its pipeline's thread ended first or never took it
     * up.
     */
    void discard() {
        if (!finished) {
            finished = true;
            state.close();
            onFinished.run();
        }
    }
}
