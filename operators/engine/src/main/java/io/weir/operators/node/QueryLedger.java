package io.weir.operators.node;

import io.weir.operators.account.Counter;
import io.weir.operators.account.Stage;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.result.RowCounts;

/** A query's page in the account, on one pipeline. Its activations there write it in turn. */
final class QueryLedger {
    private final Counter offered;
    private final Counter processed;
    private final Counter late;
    private final Counter future;
    private final Counter inactive;
    private final Counter stateFull;

    QueryLedger(Stage stage) {
        offered = stage.offered();
        processed = stage.processed();
        late = stage.excluded("late");
        future = stage.excluded("future");
        inactive = stage.excluded("inactive");
        stateFull = stage.lost("state_full");
    }

    /** The counts of one activation's state at the last look. */
    static final class Seen {
        private long processed;
        private long late;
        private long future;
        private long inactive;
        private long stateFull;

        /** Skips all that the state has counted so far. */
        void skip(QueryState state) {
            processed = state.packetsProcessed();
            late = state.packetsLate();
            future = state.packetsFuture();
            inactive = state.packetsInactive();
            stateFull = state.packetsStateFull();
        }
    }

    /** Writes the counts since the last look. */
    void update(QueryState state, Seen seen) {
        long newProcessed = state.packetsProcessed() - seen.processed;
        long newLate = state.packetsLate() - seen.late;
        long newFuture = state.packetsFuture() - seen.future;
        long newInactive = state.packetsInactive() - seen.inactive;
        long newStateFull = state.packetsStateFull() - seen.stateFull;
        offered.add(newProcessed + newLate + newFuture + newInactive + newStateFull);
        processed.add(newProcessed);
        late.add(newLate);
        future.add(newFuture);
        inactive.add(newInactive);
        stateFull.add(newStateFull);
        seen.processed += newProcessed;
        seen.late += newLate;
        seen.future += newFuture;
        seen.inactive += newInactive;
        seen.stateFull += newStateFull;
    }

    /** Adds the final counts of an activation over rows. */
    void add(RowCounts rows) {
        offered.add(rows.processed() + rows.late() + rows.inactive() + rows.stateFull());
        processed.add(rows.processed());
        late.add(rows.late());
        inactive.add(rows.inactive());
        stateFull.add(rows.stateFull());
    }

    void skippedLate(int packets) {
        offered.add(packets);
        late.add(packets);
    }
}
