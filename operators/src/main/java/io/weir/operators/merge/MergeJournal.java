package io.weir.operators.merge;

import io.weir.operators.result.ReadMark;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a {@link MergeStage} must know again if it is to go on after its process has ended. It is
 * told of each change; whoever keeps it, gives it back through {@link MergeStage#restore}.
 */
public interface MergeJournal {
    /** Nothing is kept. */
    MergeJournal NONE =
            new MergeJournal() {
                @Override
                public void source(String worker, SourceMark mark) {}

                @Override
                public void waits(Parcel parcel) {}

                @Override
                public void isFinal(ActivationId activation, long endNs) {}

                @Override
                public void isFinal(ActivationId activation, Parcel.WindowEnd end) {}

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
     * How far a worker has come in one of its lives.
     *
     * @param heard what a shard says that it has heard, at the end of all
     */
    record SourceMark(
            String life, long nextSequence, long watermarkNs, boolean whole, long heard) {}

    /**
     * What a worker has had in an activation.
     *
     * @param known packets that it has told of; -1 where that is not known
     * @param lastProcessed in its last window; -1 before the first
     * @param guessed packets that were estimated of it since
     * @param place where it is among the packets of its lives
     * @param late its last window that came too late, until one in time has told of it
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
     * Where a worker's life is among the packets of all its lives.
     *
     * @param ledger what these lives have in common
     * @param packets that were before its first window; where the life is over and the next has
     *     told of none, all that were told
     */
    record Place(long ledger, long packets) {}

    /**
     * The end of a window that came too late: what is in it is in no row, and is told later.
     *
     * @param earlier packets of the worker's lives before
     * @param packets of this life, up to the window's end
     */
    record Late(long earlier, long packets) {}

    /**
     * Windows that a worker may have had a part in, and has not sent.
     *
     * @param sinceNs those that end after this time
     * @param untilNs and not after this, when its next one ended; MAX_VALUE until there is one
     * @param ofLifeBefore whether nobody will ever tell what was in them
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

        /** Its next life tells what was in them. */
        Absence told() {
            return new Absence(sinceNs, untilNs, false);
        }

        /** What was sent in between is there: so both are one. */
        Absence and(Absence later) {
            return new Absence(
                    Math.min(sinceNs, later.sinceNs),
                    Math.max(untilNs, later.untilNs),
                    ofLifeBefore || later.ofLifeBefore);
        }
    }

    /**
     * Of what rows were made, or will never be.
     *
     * @param endNs windows that end by then
     * @param totals whether the last totals of all, until a process begins
     * @param untold packets of windows that there was no memory for, which the next one tells as
     *     lost
     */
    record Final(long endNs, boolean totals, long untold) {
        static final Final NOTHING = new Final(Long.MIN_VALUE, false, 0);

        boolean holds(long windowEndNs) {
            return windowEndNs <= endNs || windowEndNs == Long.MAX_VALUE && totals;
        }

        /** A window is final. */
        Final and(long windowEndNs) {
            return windowEndNs == Long.MAX_VALUE
                    ? new Final(endNs, true, untold)
                    : new Final(Math.max(endNs, windowEndNs), totals, untold);
        }

        /** A process begins, whose totals have an end of their own. */
        Final begins() {
            return new Final(endNs, false, untold);
        }

        Final untold(long packets) {
            return new Final(endNs, totals, packets);
        }
    }

    /**
     * An activation that has ended. Its workers may come again: what they have told stays known, so
     * that no packet is told twice then.
     */
    record EndedMark(Final made, Map<String, PartMark> parts) {
        static final EndedMark NOTHING = new EndedMark(Final.NOTHING, Map.of());

        public EndedMark {
            parts = Map.copyOf(parts);
        }
    }

    /**
     * An activation, but for the windows that wait.
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
     * @param neededUntilNs when all its windows are said that they are in
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record ReadRows(long number, long advancedNs, long neededUntilNs, byte[] block) {}

    /**
     * A query over rows.
     *
     * @param passedNs as it was when that had passed
     * @param lacksUntilNs windows that end by then are kept in part
     * @param ended whether all who made rows had come to their ends
     * @param activations those that have not ended
     */
    record ReaderMark(
            long passedNs, long lacksUntilNs, boolean ended, List<ReadMark> activations) {}

    void source(String worker, SourceMark mark);

    /**
     * A block, or the end, of a window that is not final. An end that comes again, with less that
     * is lost, is restored after the one before, and takes its place.
     */
    void waits(Parcel parcel);

    /** Rows of the window were made: what waited for that is not needed any more. */
    void isFinal(ActivationId activation, long endNs);

    /** Does the same for the parcels of one source up to this one. Others' parts may wait. */
    void isFinal(ActivationId activation, Parcel.WindowEnd end);

    void activation(ActivationId activation, ActivationMark mark);

    /** Nothing else of it is needed any more. */
    void ended(ActivationId activation, EndedMark mark);

    /** Nothing of it is. */
    void forgotten(ActivationId activation);

    /** A block of what a tick adds to an activation's totals, or of all of them; in order. */
    void total(ActivationId activation, long endNs, byte[] block);

    /** Others follow in their place. */
    void totalsGone(ActivationId activation);

    void read(ReaderId reader, ReadRows rows);

    /** These rows are in no window that it has still to say. */
    void notNeeded(ReaderId reader, long number);

    /** In the place of what was kept of it before, its rows apart. */
    void reader(ReaderId reader, ReaderMark mark);

    /** Nothing of it is needed any more. */
    void readerGone(ReaderId reader);

    void passed(long watermarkNs);
}
