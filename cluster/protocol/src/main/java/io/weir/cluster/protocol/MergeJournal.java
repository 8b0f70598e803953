package io.weir.cluster.protocol;

import io.weir.operators.result.ReadMark;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state that a {@link MergeStage} needs to continue after its process has ended. It gets each
 * change. Its implementer stores them, and gives them back through {@link MergeStage#restore}.
 */
public interface MergeJournal {
    /** Stores nothing. */
    MergeJournal NONE =
            new MergeJournal() {
                @Override
                public void source(String worker, SourceMark mark) {}

                @Override
                public void waits(MergeMessage message) {}

                @Override
                public void isFinal(ActivationId activation, long endNs) {}

                @Override
                public void isFinal(ActivationId activation, MergeMessage.WindowEnd end) {}

                @Override
                public void activation(ActivationId activation, ActivationMark mark) {}

                @Override
                public void ended(ActivationId activation, EndedMark mark) {}

                @Override
                public void forgotten(ActivationId activation) {}

                @Override
                public void total(ActivationId activation, long endNs, byte[] block) {}

                @Override
                public void totalsGone(ActivationId activation) {}

                @Override
                public void read(ReaderId reader, ReadRows rows) {}

                @Override
                public void notNeeded(ReaderId reader, long number) {}

                @Override
                public void reader(ReaderId reader, ReaderMark mark) {}

                @Override
                public void readerGone(ReaderId reader) {}

                @Override
                public void passed(long watermarkNs) {}
            };

    /**
     * The progress of a worker in one of its processes.
     *
     * @param heard a shard's own report of what it has heard, at the end of all
     */
    record SourceMark(
            String life, long nextSequence, long watermarkNs, boolean whole, long heard) {}

    /**
     * A worker's counts in an activation.
     *
     * @param known packets that it has reported; -1 if not known
     * @param lastProcessed in its last window; -1 before the first
     * @param guessed packets that were estimated of it since
     * @param place its place among the packets of its processes
     * @param late its last window that came too late, until one in time has reported it
     */
    record PartMark(
            long known,
            long lastProcessed,
            long untilNs,
            boolean ended,
            boolean goesOn,
            long guessed,
            Optional<Absence> absence,
            Optional<Place> place,
            Optional<Late> late) {}

    /**
     * The place of a worker's process among the packets of all its processes.
     *
     * @param ledger what these processes have in common
     * @param packets that were before its first window. If the process is over and the next has
     *     reported none, all reported packets
     */
    record Place(long ledger, long packets) {}

    /**
     * The end of a window that came too late. Its packets are in no row, and are reported later.
     *
     * @param earlier packets of the worker's earlier processes
     * @param packets of this process, up to the window's end
     */
    record Late(long earlier, long packets) {}

    /**
     * Windows that a worker may have had a part in, and has not sent.
     *
     * @param sinceNs those that end after this time
     * @param untilNs and not after this, when its next one ended; MAX_VALUE until there is one
     * @param ofLifeBefore whether nobody will ever report the packets in them
     */
    record Absence(long sinceNs, long untilNs, boolean ofLifeBefore) {
        boolean isOver() {
            return untilNs != Long.MAX_VALUE;
        }

        boolean holds(long endNs) {
            return endNs > sinceNs && endNs <= untilNs;
        }

        /** Ends it, unless it has ended. */
        Absence until(long endNs) {
            return new Absence(sinceNs, Math.min(untilNs, endNs), ofLifeBefore);
        }

        /** Notes that its next process reports the packets in them. */
        Absence told() {
            return new Absence(sinceNs, untilNs, false);
        }

        /** Joins two. The windows sent in between are there. */
        Absence and(Absence later) {
            return new Absence(
                    Math.min(sinceNs, later.sinceNs),
                    Math.max(untilNs, later.untilNs),
                    ofLifeBefore || later.ofLifeBefore);
        }
    }

    /**
     * The windows that have rows, or will never have any.
     *
     * @param endNs windows that end by then
     * @param totals whether the last totals of all are included, until a process begins
     * @param untold packets of windows without memory, which the next one reports as lost
     */
    record Final(long endNs, boolean totals, long untold) {
        static final Final NOTHING = new Final(Long.MIN_VALUE, false, 0);

        boolean holds(long windowEndNs) {
            return windowEndNs <= endNs || windowEndNs == Long.MAX_VALUE && totals;
        }

        /** Makes one more window final. */
        Final and(long windowEndNs) {
            return windowEndNs == Long.MAX_VALUE
                    ? new Final(endNs, true, untold)
                    : new Final(Math.max(endNs, windowEndNs), totals, untold);
        }

        /** Notes that a process begins, whose totals have an end of their own. */
        Final begins() {
            return new Final(endNs, false, untold);
        }

        Final untold(long packets) {
            return new Final(endNs, totals, packets);
        }
    }

    /**
     * An activation that has ended. Its workers may come again. Their reports stay known, so that
     * no packet is reported twice.
     */
    record EndedMark(Final made, Map<String, PartMark> parts) {
        static final EndedMark NOTHING = new EndedMark(Final.NOTHING, Map.of());

        public EndedMark {
            parts = Map.copyOf(parts);
        }
    }

    /**
     * An activation, without its waiting windows.
     *
     * @param rowsSkipped of OFFSET, over the whole stream; {@code rowsPassed} of LIMIT
     */
    record ActivationMark(
            long activeFromNs,
            Final made,
            Map<String, PartMark> parts,
            long rowsSkipped,
            long rowsPassed) {}

    /** A version of a query over rows. */
    record ReaderId(String query, long version) {}

    /**
     * Rows that a query over rows has read.
     *
     * @param number they are read in this order
     * @param advancedNs the time that had passed for it then
     * @param neededUntilNs when all windows with these rows are reported
     * @param input of the query's scan
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ReadRows(long number, long advancedNs, long neededUntilNs, byte[] block, int input) {}

    /**
     * A query over rows.
     *
     * @param passedNs the time that had passed at this mark
     * @param lacksUntilNs windows that end by then are stored in part
     * @param ended whether all makers of rows had come to their ends
     * @param activations those that have not ended
     */
    record ReaderMark(
            long passedNs, long lacksUntilNs, boolean ended, List<ReadMark> activations) {}

    void source(String worker, SourceMark mark);

    /**
     * Stores a block, or the end, of a window that is not final. An end may come again with less
     * that is lost. It is restored after the one before, and replaces it.
     */
    void waits(MergeMessage message);

    /** Notes that rows of the window were made. Its waiting messages are no longer needed. */
    void isFinal(ActivationId activation, long endNs);

    /** Does the same for the messages of one source up to this one. Others' parts may wait. */
    void isFinal(ActivationId activation, MergeMessage.WindowEnd end);

    void activation(ActivationId activation, ActivationMark mark);

    /** Notes that only the mark of it is still needed. */
    void ended(ActivationId activation, EndedMark mark);

    /** Notes that nothing of it is needed. */
    void forgotten(ActivationId activation);

    /**
     * Stores a block of the changes that a tick adds to an activation's totals, or of all totals;
     * in order.
     */
    void total(ActivationId activation, long endNs, byte[] block);

    /** Removes the totals, because others follow. */
    void totalsGone(ActivationId activation);

    void read(ReaderId reader, ReadRows rows);

    /** Notes that these rows are in no window that is still to be reported. */
    void notNeeded(ReaderId reader, long number);

    /** Replaces the stored mark, without its rows. */
    void reader(ReaderId reader, ReaderMark mark);

    /** Notes that nothing of it is needed any more. */
    void readerGone(ReaderId reader);

    void passed(long watermarkNs);
}
