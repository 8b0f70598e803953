package io.weir.operators.node;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialSink;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.pipeline.Attached;
import io.weir.operators.result.ClosedWindow;
import io.weir.operators.result.Gathering;
import io.weir.operators.result.Losses;
import java.util.function.Function;

/** One state on one pipeline: runs it, and hands its windows over. The pipeline's thread. */
final class AttachedQuery implements Attached, PartialSink {
    private final String query;
    private final Gathering gathering;
    private final int pipeline;
    private final boolean skipsLate;
    private final LedgerBook ledgers;
    private final QueryState state;
    private final Runnable onOverflow;
    private final Runnable onFinished;
    private Handover handover;
    private long advancedNs = Long.MIN_VALUE;
    private long toldStateFull;
    private long toldProcessed;
    private boolean finished;

    /** Native memory of the state, as of the first block after it was last asked for. */
    private volatile long bytes;

    private volatile boolean bytesAsked = true;

    /**
     * @param query whose state it is, for people
     * @param skipsLate whether late packets are left out whatever the query: where it depends on
     *     the pipelines' shape which of them come before its end
     * @param state makes the state, whose windows go to its argument
     * @param onOverflow what to do, once, instead of going on when there is no room; null to go on
     * @param onFinished called when the state was freed
     */
    AttachedQuery(
            String query,
            Gathering gathering,
            int pipeline,
            boolean skipsLate,
            LedgerBook ledgers,
            Handover handover,
            Function<PartialSink, QueryState> state,
            Runnable onOverflow,
            Runnable onFinished) {
        this.query = query;
        this.gathering = gathering;
        this.pipeline = pipeline;
        this.skipsLate = skipsLate;
        this.ledgers = ledgers;
        this.handover = handover;
        this.onOverflow = onOverflow;
        this.onFinished = onFinished;
        this.state = state.apply(this);
    }

    @Override
    public void begin(long watermarkNs) {
        gathering.seen().begun(watermarkNs);
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
            state.segment(layoutId, flags, nodeSymbol, address, gpvs, cameNs);
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
            handover.put(ClosedWindow.loss(gathering, pipeline, advancedNs, newLostPackets));
        }
        advancedNs = watermarkNs;
        state.advance(watermarkNs);
        ledgers.update(state);
        if (bytesAsked) {
            bytesAsked = false;
            bytes = state.bytes();
        }
    }

    /** Whose state it is: of several that share it, the first one's. Any thread. */
    String query() {
        return query;
    }

    /** Native memory of the state, a little while ago. Any thread. */
    long bytes() {
        bytesAsked = true;
        return bytes;
    }

    @Override
    public void closed(QueryState from, long startNs, long endNs, Partial partial) {
        if (partial.isEmpty() && partial.groupsLost() == 0) {
            // It says that groups are missing. Maybe no row comes of it: the next tells of packets.
            handover.put(
                    new ClosedWindow(gathering, pipeline, startNs, endNs, partial, Losses.NONE, 0));
            return;
        }
        long lost = state.packetsStateFull() - toldStateFull;
        long processed = state.packetsProcessed() - toldProcessed;
        toldStateFull = state.packetsStateFull();
        toldProcessed = state.packetsProcessed();
        Losses losses = Losses.of(lost);
        handover.put(
                new ClosedWindow(gathering, pipeline, startNs, endNs, partial, losses, processed));
    }

    @Override
    public void finish() {
        if (!finished) {
            if (onOverflow != null && state.packetsStateFull() > 0) {
                fail();
                return;
            }
            finished = true;
            // MAX_VALUE at the end of the packets: then the sources know when that was.
            gathering.seen().until(advancedNs);
            state.finish();
            end(0);
        }
    }

    /** Ends without a further window; the results hear of it before any that was closed before. */
    private void fail() {
        finished = true;
        onOverflow.run();
        end(state.packetsProcessed() - toldProcessed);
    }

    private void end(long open) {
        ledgers.update(state);
        handover.put(ClosedWindow.last(gathering, pipeline, open));
        state.close();
        onFinished.run();
    }

    /** For a pipeline that has ended: finishes on the results' thread. */
    void finishOn(Handover results) {
        handover = results;
        finish();
    }

    /**
     * Frees the state of one that never finished: its pipeline's thread has ended, or not met it.
     */
    void discard() {
        if (!finished) {
            finished = true;
            state.close();
            onFinished.run();
        }
    }
}
