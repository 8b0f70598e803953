package io.weir.operators.node;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialSink;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Attached;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ClosedWindow;

/**
 * One activation on one pipeline: runs its state, hands its windows over, and finishes by itself
 * when the pipeline has passed the end of the gate. The pipeline's thread.
 */
final class AttachedQuery implements Attached, PartialSink {
    private final Activation activation;
    private final int pipeline;
    private final boolean skipsLate;
    private final QueryLedger ledger;
    private final QueryLedger.Seen seen = new QueryLedger.Seen();
    private final QueryState state;
    private Handover handover;
    private long lostPackets;
    private long toldStateFull;
    private long toldProcessed;
    private boolean finished;

    /**
     * @param skipsLate whether late packets are left out whatever the query: where it depends on
     *     the pipelines' shape which of them would still be in time
     */
    AttachedQuery(
            Activation activation,
            CompiledQuery code,
            StateOptions options,
            int pipeline,
            boolean skipsLate,
            QueryLedger ledger,
            Handover handover,
            NativeAllocator allocator) {
        this.activation = activation;
        this.pipeline = pipeline;
        this.skipsLate = skipsLate;
        this.ledger = ledger;
        this.handover = handover;
        this.state = code.newState(allocator, activation.gate(), options, this);
    }

    @Override
    public void segment(
            int layoutId, int flags, int nodeSymbol, long address, int gpvs, int packets) {
        if (finished) {
            return;
        }
        if (skipsLate && (flags & BlockLayout.SEGMENT_FLAG_LATE) != 0) {
            ledger.skippedLate(packets);
        } else {
            state.segment(layoutId, flags, nodeSymbol, address, gpvs);
        }
    }

    @Override
    public void advance(long watermarkNs, long newLostPackets) {
        if (finished) {
            return;
        }
        lostPackets += newLostPackets;
        state.advance(watermarkNs);
        if (watermarkNs >= activation.gate().untilNs()) {
            finish();
        } else {
            ledger.update(state, seen);
        }
    }

    @Override
    public void closed(QueryState from, long startNs, long endNs, Partial partial) {
        long lost = lostPackets + state.packetsStateFull() - toldStateFull;
        long processed = state.packetsProcessed() - toldProcessed;
        lostPackets = 0;
        toldStateFull = state.packetsStateFull();
        toldProcessed = state.packetsProcessed();
        handover.put(
                new ClosedWindow(activation, pipeline, startNs, endNs, partial, lost, processed));
    }

    @Override
    public void finish() {
        if (!finished) {
            finished = true;
            state.finish();
            ledger.update(state, seen);
            handover.put(ClosedWindow.last(activation, pipeline));
            state.close();
        }
    }

    /** Whether its state was freed; for certain only once its last window has been received. */
    boolean isFinished() {
        return finished;
    }

    /** For a pipeline that has ended: finishes on the results' thread. */
    void finishOn(Handover results) {
        handover = results;
        finish();
    }

    /** Frees the state of one that never finished; its pipeline's thread has ended. */
    void discard() {
        if (!finished) {
            finished = true;
            state.close();
        }
    }
}
