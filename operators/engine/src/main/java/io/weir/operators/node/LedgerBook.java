package io.weir.operators.node;

import io.weir.operators.kernel.QueryState;
import java.util.Arrays;

/**
 * The account pages of all queries that share one state on one pipeline. Each counts what the state
 * counted while its query was a member. The pipeline's thread writes; the results' thread adds and
 * removes queries.
 */
final class LedgerBook {
    private static final Entry[] NONE = {};

    private volatile Entry[] entries = NONE;

    private static final class Entry {
        private final QueryLedger ledger;
        private final QueryLedger.Seen seen = new QueryLedger.Seen();
        private boolean known;

        Entry(QueryLedger ledger, boolean known) {
            this.ledger = ledger;
            this.known = known;
        }
    }

    /**
     * @param late whether the state has counted before; its counts so far then belong to other
     *     queries
     */
    void join(QueryLedger ledger, boolean late) {
        Entry[] before = entries;
        Entry[] after = new Entry[before.length + 1];
        System.arraycopy(before, 0, after, 0, before.length);
        after[before.length] = new Entry(ledger, !late);
        entries = after;
    }

    void leave(QueryLedger ledger) {
        Entry[] before = entries;
        Entry[] after = new Entry[before.length];
        int kept = 0;
        for (Entry entry : before) {
            if (entry.ledger != ledger) {
                after[kept++] = entry;
            }
        }
        entries = Arrays.copyOf(after, kept);
    }

    void update(QueryState state) {
        for (Entry entry : entries) {
            if (entry.known) {
                entry.ledger.update(state, entry.seen);
            } else {
                entry.seen.skip(state);
                entry.known = true;
            }
        }
    }

    void skippedLate(int packets) {
        for (Entry entry : entries) {
            entry.ledger.skippedLate(packets);
        }
    }
}
