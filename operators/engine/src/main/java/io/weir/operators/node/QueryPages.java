package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.WindowRows;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.result.Activation;
import io.weir.operators.result.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pages of a query in the account, once the engine has taken it. The results' lock. */
final class QueryPages {
    private final Query query;

    /** One for each pipeline; one for a query over rows. */
    private final List<QueryLedger> ledgers = new ArrayList<>();

    /**
     * The page of a query that keeps its heaviest groups: how many of its windows' packets they
     * have.
     */
    private Optional<Stage> heaviest = Optional.empty();

    private Account account;

    /** The page of sums that are NULL, once there are any. */
    private Stage sums;

    QueryPages(Query query) {
        this.query = query;
    }

    /** Makes the pages. */
    void open(Account pages, int pipelines) {
        account = pages;
        boolean ranks = query.budget().flatMap(Budget::rank).isPresent();
        heaviest = ranks ? Optional.of(account.stage("topk:" + query.name())) : Optional.empty();
        for (int part = query.reads().comesAsGpvs() ? pipelines : 1; part > 0; part--) {
            add();
        }
    }

    /** Makes the page for one more pipeline. */
    void widen() {
        if (query.reads().comesAsGpvs()) {
            add();
        }
    }

    private void add() {
        ledgers.add(new QueryLedger(account.stage("query:" + query.name())));
    }

    QueryLedger ledger(int pipeline) {
        return ledgers.get(pipeline);
    }

    /** Adds the counts of a query over rows. */
    void add(RowCounts rows) {
        ledgers.get(0).add(rows);
    }

    /** Counts what the activation's windows report. */
    void follow(Activation activation) {
        activation.onSumsBeyond(this::tellSums);
        activation.onForgotten(this::tellForgotten);
        heaviest.ifPresent(stage -> activation.onKept(kept -> tell(stage, kept)));
    }

    /** Counts sums of a window that have left 64 bits: their values are NULL. */
    private void tellSums(long beyond) {
        if (sums == null) {
            sums = account.stage("sums:" + query.name());
        }
        sums.offered().add(beyond);
        sums.lost("beyond_64_bits").add(beyond);
    }

    /** Counts partitions of OVER, keys or sessions that were forgotten for want of memory. */
    private void tellForgotten(long count) {
        WindowRows.Form rows =
                query.aggregate()
                        .flatMap(a -> a.window())
                        .map(w -> w.rows().form())
                        .orElse(WindowRows.Form.FILLED);
        String page =
                switch (rows) {
                    case FILLED -> "over:";
                    case SESSIONS -> "sessions:";
                    default -> "empty:";
                };
        Stage past = account.stage(page + query.name());
        past.offered().add(count);
        past.lost("forgotten").add(count);
    }

    /** Counts a window that kept only its heaviest groups. */
    private static void tell(Stage stage, TopKAccount kept) {
        stage.offered().add(kept.packetsKept() + kept.packetsLost());
        stage.processed().add(kept.packetsKept());
        stage.lost("left_out").add(kept.packetsLeftOut());
        if (kept.packetsWithoutRoom() > 0) {
            stage.lost("no_memory").add(kept.packetsWithoutRoom());
        }
    }
}
