package io.weir.operators.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is final of those activations of a query's version that have ended, for what still comes of
 * them: who was not waited for, and who begins again in a window of which rows were made. Beyond
 * the bound the earliest are forgotten; what comes of them is taken for new. The merge's thread.
 */
final class Finals {
    static final int MOST = 1024;

    private final Map<ActivationId, MergeJournal.EndedMark> ended = new HashMap<>();

    /** An activation has ended. */
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

    /** Something comes of one, which has ended or not: whoever asks keeps it from now on. */
    MergeJournal.EndedMark take(ActivationId id) {
        MergeJournal.EndedMark known = ended.remove(id);
        return known == null ? MergeJournal.EndedMark.NOTHING : known;
    }

    /** A process begins: what it counts has an end of its own. */
    void begins(MergeJournal journal) {
        for (Map.Entry<ActivationId, MergeJournal.EndedMark> entry : ended.entrySet()) {
            MergeJournal.EndedMark mark = entry.getValue();
            if (mark.made().totals()) {
                entry.setValue(new MergeJournal.EndedMark(mark.made().begins(), mark.parts()));
                journal.ended(entry.getKey(), entry.getValue());
            }
        }
    }

    /** A worker's life is over, which had come so far. */
    void cut(String worker, long passedNs, MergeJournal journal) {
        for (Map.Entry<ActivationId, MergeJournal.EndedMark> entry : ended.entrySet()) {
            MergeJournal.EndedMark mark = entry.getValue();
            if (mark.parts().containsKey(worker)) {
                Parts parts = new Parts();
                parts.restore(mark.parts());
                long untold = mark.made().untold() + parts.cut(worker, passedNs);
                entry.setValue(
                        new MergeJournal.EndedMark(mark.made().untold(untold), parts.marks()));
                journal.ended(entry.getKey(), entry.getValue());
            }
        }
    }

    /** The version is no more. */
    void drop(MergeJournal journal) {
        List<ActivationId> all = new ArrayList<>(ended.keySet());
        ended.clear();
        all.forEach(journal::forgotten);
    }
}
