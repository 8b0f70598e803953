package io.weir.operators.merge;

import java.util.Map;

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
                public void activation(ActivationId activation, ActivationMark mark) {}

                @Override
                public void ended(ActivationId activation) {}

                @Override
                public void total(ActivationId activation, long endNs, byte[] block) {}

                @Override
                public void totalsGone(ActivationId activation) {}

                @Override
                public void passed(long watermarkNs) {}
            };

    /** How far a worker has come in one of its lives. */
    record SourceMark(String life, long nextSequence, long watermarkNs, boolean whole) {}

    /** What a worker has had in an activation. */
    record PartMark(long known, long lastProcessed, long untilNs, boolean ended, boolean goesOn) {}

    /**
     * An activation, but for the windows that wait.
     *
     * @param finalNs windows that end by then are final
     * @param rowsSkipped of OFFSET, over the whole stream; {@code rowsPassed} of LIMIT
     */
    record ActivationMark(
            long activeFromNs,
            long finalNs,
            Map<String, PartMark> parts,
            long rowsSkipped,
            long rowsPassed) {}

    void source(String worker, SourceMark mark);

    /** A block, or the end, of a window that is not final. */
    void waits(Parcel parcel);

    /** Rows of the window were made: what waited for that is not needed any more. */
    void isFinal(ActivationId activation, long endNs);

    void activation(ActivationId activation, ActivationMark mark);

    /** Nothing of it is needed any more. */
    void ended(ActivationId activation);

    /** A block of what a tick adds to an activation's totals, or of all of them; in order. */
    void total(ActivationId activation, long endNs, byte[] block);

    /** Others follow in their place. */
    void totalsGone(ActivationId activation);

    void passed(long watermarkNs);
}
