package io.weir.cluster.protocol;

import java.util.function.LongSupplier;

/**
 * Restores a {@link MergeStage} from the records of a journal. The marks of sources come first. A
 * record of a query that is gone changes nothing.
 */
public final class StageRestore {
    private final MergedQueries queries;
    private final Activations activations;
    private final WorkerEpochs sources;
    private final MergeCounts counts;
    private final LongSupplier passedNs;

    /**
     * @param passedNs the time by which all due windows were emitted
     */
    StageRestore(
            MergedQueries queries,
            Activations activations,
            WorkerEpochs sources,
            MergeCounts counts,
            LongSupplier passedNs) {
        this.queries = queries;
        this.activations = activations;
        this.sources = sources;
        this.counts = counts;
        this.passedNs = passedNs;
    }

    /** Restores a source's mark. This comes before anything else. */
    public void restore(String worker, MergeJournal.SourceMark mark) {
        sources.sends(worker).restore(mark);
    }

    /** Restores an activation's mark. */
    public void restore(ActivationId activation, MergeJournal.ActivationMark mark) {
        activations.restore(activation, mark);
    }

    /** Restores the mark of an activation that has ended. */
    public void restore(ActivationId activation, MergeJournal.EndedMark mark) {
        activations.restore(activation, mark);
    }

    /** Restores an activation's totals. */
    public void restoreTotal(ActivationId activation, long endNs, byte[] block) {
        activations.restoreTotal(activation, endNs, block);
    }

    /** Restores a message of a waiting window, in order per source, after the marks. */
    public void restore(MergeMessage message) {
        activations.restore(message);
    }

    /** Restores a query over rows, which may not be here yet. */
    public void restore(MergeJournal.ReaderId reader, MergeJournal.ReaderMark mark) {
        queries.kept(reader).mark(mark);
    }

    /** Restores rows that it had read. */
    public void restore(MergeJournal.ReaderId reader, MergeJournal.ReadRows rows) {
        queries.kept(reader).rows(rows);
    }

    /** Handles a stored record that cannot be read; after all readable ones except messages. */
    public void restore(UnreadableRecord unread) {
        counts.keptUnread(unread.about());
        if (unread instanceof UnreadableRecord.Rows rows) {
            queries.kept(rows.reader()).unread();
        } else if (unread instanceof UnreadableRecord.OfActivation of) {
            activations.restore(of.activation(), unread, passedNs.getAsLong());
        }
    }
}
