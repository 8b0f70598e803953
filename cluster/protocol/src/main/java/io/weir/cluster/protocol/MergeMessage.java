package io.weir.cluster.protocol;

import io.weir.operators.kernel.BindingSpan;
import io.weir.operators.result.Losses;
import io.weir.operators.window.LeftOutPackets;
import java.util.List;

/**
 * A message of a source to a shard of the merge. The source numbers them from 0, per process and
 * shard. So the shard recognises a repeated message, and a gap.
 */
public sealed interface MergeMessage {
    WorkerEpoch source();

    long sequence();

    /** Groups of a window, or rows. The window's other blocks are before and after it. */
    final class Block implements MergeMessage {
        private final WorkerEpoch source;
        private final long sequence;
        private final ActivationId activation;
        private final long endNs;
        private final byte[] bytes;

        /**
         * @param bytes of a partial; nobody may change them from now on
         */
        public Block(
                WorkerEpoch source,
                long sequence,
                ActivationId activation,
                long endNs,
                byte[] bytes) {
            this.source = source;
            this.sequence = sequence;
            this.activation = activation;
            this.endNs = endNs;
            this.bytes = bytes;
        }

        @Override
        public WorkerEpoch source() {
            return source;
        }

        @Override
        public long sequence() {
            return sequence;
        }

        public ActivationId activation() {
            return activation;
        }

        public long endNs() {
            return endNs;
        }

        public byte[] bytes() {
            return bytes;
        }
    }

    /**
     * The end of a window in this source. It comes even if there were no groups for this shard,
     * since its packets count for the whole window.
     */
    record WindowEnd(WorkerEpoch source, long sequence, ActivationId activation, Window window)
            implements MergeMessage {
        /** Returns the same end with other losses. */
        WindowEnd with(Losses losses) {
            return new WindowEnd(source, sequence, activation, window.with(losses));
        }
    }

    /**
     * A window in one source.
     *
     * @param untilNs when the activation ends, as far as is known
     * @param activeFromNs from when the source has counted
     * @param losses since the window before
     * @param processed packets that ran since then
     * @param before packets, lost and processed, of all windows before: what is missing there did
     *     not arrive
     * @param blocks how many blocks came to this shard
     * @param goesOn whether {@code before} counts the source's earlier processes too, each packet
     *     once
     * @param leftOut if only the heaviest groups stay; its packets are reported to one shard
     * @param ledger the same in processes of the source that know the number of their predecessors'
     *     packets; otherwise {@link PacketCounts#NO_LEDGER}
     * @param earlier packets of the ledger before the first that {@code before} counts
     * @param bindings those that have groups in it, of a query that uses values
     */
    record Window(
            long startNs,
            long endNs,
            long untilNs,
            long activeFromNs,
            Losses losses,
            long processed,
            long before,
            int blocks,
            boolean goesOn,
            LeftOutPackets.Told leftOut,
            long ledger,
            long earlier,
            List<BindingSpan> bindings) {
        public Window {
            bindings = List.copyOf(bindings);
        }

        /** Returns the same window with other losses. */
        Window with(Losses others) {
            return new Window(
                    startNs,
                    endNs,
                    untilNs,
                    activeFromNs,
                    others,
                    processed,
                    before,
                    blocks,
                    goesOn,
                    leftOut,
                    ledger,
                    earlier,
                    bindings);
        }
    }

    /**
     * Reports that all windows that end at or before this time have been sent, for every query. The
     * time is the end of a window.
     *
     * @param heard from a shard at the end of all: a number for what it has heard by then. It is
     *     equal for shards that have heard the same. Otherwise {@link #UNTOLD}
     * @param renewed activations that end later than the source has reported before: by rows that
     *     may have passed since its last window of them
     */
    record Passed(
            WorkerEpoch source, long sequence, long watermarkNs, long heard, List<Renewed> renewed)
            implements MergeMessage {
        /** The value of a shard that does not report it, as in earlier releases. */
        public static final long UNTOLD = 0;

        public Passed(WorkerEpoch source, long sequence, long watermarkNs) {
            this(source, sequence, watermarkNs, UNTOLD, List.of());
        }

        /**
         * Returns whether it reports that the source begins to count. From here on nothing is final
         * without it.
         */
        public boolean isBeginning() {
            return watermarkNs == Long.MIN_VALUE;
        }
    }

    /** An activation that has not ended at its expected time. */
    record Renewed(ActivationId activation, long untilNs) {}

    /**
     * Reports that no further window of an activation comes from this source. The activation has
     * ended, or will end, then.
     */
    record Ended(WorkerEpoch source, long sequence, ActivationId activation, long untilNs)
            implements MergeMessage {}
}
