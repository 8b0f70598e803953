package io.weir.cluster.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The final state of ended activations of a query's version. It is needed for late windows: of
 * sources that were given up, or that begin again in a window that already has rows. Beyond the
 * bound the earliest are removed. Their late windows are then taken for new. The merge's thread.
 */
final class FinalStates {
    static final int MOST = 1024;

    private final Map<ActivationId, MergeJournal.EndedMark> ended = new HashMap<>();

    /** Stores an activation that has ended. */
    void ended(ActivationId id, MergeJournal.EndedMark mark, MergeJournal journal) {
        restore(id, mark);
        journal.ended(id, mark);
        if (ended.size() > MOST) {
            ActivationId earliest =
                    ended.entrySet().stream()
                            .min(Comparator.comparingLong(e -> e.getValue().made().endNs()))
                            .orElseThrow()
                            .getKey();
            ended.remove(earliest);
            journal.forgotten(earliest);
        }
    }

    void restore(ActivationId id, MergeJournal.EndedMark mark) {
        ended.put(id, mark);
    }

    /**
     * Removes and returns the mark of an activation that gets a window, ended or not. The caller
     * keeps it from now on.
     */
    MergeJournal.EndedMark take(ActivationId id) {
        MergeJournal.EndedMark known = ended.remove(id);
        return known == null ? MergeJournal.EndedMark.NOTHING : known;
    }

    /** Notes that a process begins. Its totals have an end of their own. */
    void begins(MergeJournal journal) {
        for (Map.Entry<ActivationId, MergeJournal.EndedMark> entry : ended.entrySet()) {
            MergeJournal.EndedMark mark = entry.getValue();
            if (mark.made().totals()) {
                entry.setValue(new MergeJournal.EndedMark(mark.made().begins(), mark.parts()));
                journal.ended(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Notes that a worker's process is over, and how far it had come. */
    void cut(String worker, long passedNs, MergeJournal journal) {
        for (Map.Entry<ActivationId, MergeJournal.EndedMark> entry : ended.entrySet()) {
            MergeJournal.EndedMark mark = entry.getValue();
            if (mark.parts().containsKey(worker)) {
                ReportedParts parts = new ReportedParts();
                parts.restore(mark.parts());
                long untold = mark.made().untold() + parts.cut(worker, passedNs);
                entry.setValue(
                        new MergeJournal.EndedMark(mark.made().untold(untold), parts.marks()));
                journal.ended(entry.getKey(), entry.getValue());
            }
        }
    }

    /** Removes the version. */
    void drop(MergeJournal journal) {
        List<ActivationId> all = new ArrayList<>(ended.keySet());
        ended.clear();
        all.forEach(journal::forgotten);
    }
}
