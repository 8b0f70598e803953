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

    private final Map<ActivationId, MergeJournal.Final> ended = new HashMap<>();

    /** An activation has ended. */
    void ended(ActivationId id, MergeJournal.Final what, MergeJournal journal) {
        restore(id, what);
        journal.ended(id, what);
        if (ended.size() > MOST) {
            ActivationId earliest =
                    ended.entrySet().stream()
                            .min(Comparator.comparingLong(entry -> entry.getValue().endNs()))
                            .orElseThrow()
                            .getKey();
            ended.remove(earliest);
            journal.forgotten(earliest);
        }
    }

    void restore(ActivationId id, MergeJournal.Final what) {
        ended.put(id, what);
    }

    /** Something comes of one, which has ended or not: whoever asks keeps it from now on. */
    MergeJournal.Final take(ActivationId id) {
        MergeJournal.Final known = ended.remove(id);
        return known == null ? MergeJournal.Final.NOTHING : known;
    }

    /** A process begins: what it counts has an end of its own. */
    void begins(MergeJournal journal) {
        for (Map.Entry<ActivationId, MergeJournal.Final> entry : ended.entrySet()) {
            if (entry.getValue().totals()) {
                entry.setValue(entry.getValue().begins());
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
