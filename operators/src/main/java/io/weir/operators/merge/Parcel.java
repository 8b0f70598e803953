package io.weir.operators.merge;

import io.weir.operators.result.Losses;
import io.weir.operators.window.LeftOut;
import java.util.List;

/**
 * What a source sends to a shard of the merge. Each is numbered, from 0, among all that the source
 * in this life has sent to this shard: one that comes again is known by that, and so is a gap.
 */
public sealed interface Parcel {
    Source source();

    long sequence();

    /** Groups of a window, or rows; the window's other blocks are before and after it. */
    final class Block implements Parcel {
        private final Source source;
        private final long sequence;
        private final ActivationId activation;
        private final long endNs;
        private final byte[] bytes;

        /**
         * @param bytes of a partial; nobody's to change from now on
         */
        public Block(
                Source source, long sequence, ActivationId activation, long endNs, byte[] bytes) {
            this.source = source;
            this.sequence = sequence;
            this.activation = activation;
            this.endNs = endNs;
            this.bytes = bytes;
        }

        @Override
        public Source source() {
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
     * A window is whole, as far as this source goes. It comes whether or not there were groups for
     * this shard, since the packets are the whole window's.
     */
    record WindowEnd(Source source, long sequence, ActivationId activation, Window window)
            implements Parcel {
        /** With other losses. */
        WindowEnd with(Losses losses) {
            return new WindowEnd(source, sequence, activation, window.with(losses));
        }
    }

    /**
     * Of a window, in one source.
     *
     * @param untilNs when the activation ends, as far as is known
     * @param activeFromNs from when the source has counted
     * @param losses since the window before
     * @param processed packets that ran since then
     * @param before packets, lost and processed, of all windows before: what is missing there did
     *     not arrive
     * @param blocks how many blocks came to this shard
     * @param goesOn whether {@code before} counts the source's earlier lives too, each packet once
     * @param leftOut where only the heaviest groups stay; its packets are told to one shard
     * @param ledger the same in lives of the source that know how many packets those before have
     *     had; {@link PacketCounts#NO_LEDGER} else
     * @param earlier packets of the ledger before the first that {@code before} counts
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
            LeftOut.Told leftOut,
            long ledger,
            long earlier) {
        /** With other losses. */
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
                    earlier);
        }
    }

    /**
     * All windows that end at or before this time have been sent: of every query. It is the end of
     * one.
     *
     * @param heard of a shard at the end of all: what it has heard by then, as a number that is the
     *     same for those that have heard the same; {@link #UNTOLD} otherwise
     * @param renewed activations that end later than the source has told before: by rows that may
     *     have passed since its last window of them
     */
    record Passed(Source source, long sequence, long watermarkNs, long heard, List<Renewed> renewed)
            implements Parcel {
        /** Nor do shards of earlier releases tell it. */
        public static final long UNTOLD = 0;

        public Passed(Source source, long sequence, long watermarkNs) {
            this(source, sequence, watermarkNs, UNTOLD, List.of());
        }

        /**
         * Whether it says that the source begins to count: from here on nothing is final without
         * it.
         */
        public boolean isBeginning() {
            return watermarkNs == Long.MIN_VALUE;
        }
    }

    /** An activation that has not ended when it was to. */
    record Renewed(ActivationId activation, long untilNs) {}

    /** No further window of an activation comes from this source; it has ended, or will, then. */
    record Ended(Source source, long sequence, ActivationId activation, long untilNs)
            implements Parcel {}
}
