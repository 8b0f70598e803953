package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.TableReader;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A query of an engine: its place in the results, its shared state, its upstream. The results'
 * lock.
 */
final class RunningQuery {
    final CompiledQuery code;
    final ResultQuery result;

    /** The account pages: one for each pipeline; one for a query over rows. */
    final List<QueryLedger> ledgers = new ArrayList<>();

    /**
     * The page of a query that keeps its heaviest groups: how many of its windows' packets they
     * have.
     */
    final Optional<Stage> heaviest;

    private final Account account;

    /** The page of sums that are NULL, once there are any. */
    private Stage sums;

    SharedState sharedState;

    private CompiledQuery over;

    /** The upstream of a query over rows, and how it is read. */
    RunningQuery read;

    RowSink reader;

    TableReader tableReader;

    /** For a query with WHEN: the query whose rows are tested, and the object that wakes it. */
    RunningQuery upstream;

    TriggeredQuery waking;

    RunningQuery(CompiledQuery code, RowSink sink, Account account, int pipelines) {
        this.code = code;
        this.account = account;
        result = new ResultQuery(code);
        result.addSink(sink);
        boolean ranks = query().budget().flatMap(Budget::rank).isPresent();
        heaviest = ranks ? Optional.of(account.stage("topk:" + name())) : Optional.empty();
        for (int part = query().reads().comesAsGpvs() ? pipelines : 1; part > 0; part--) {
            ledgers.add(new QueryLedger(account.stage("query:" + name())));
        }
    }

    /**
     * Counts sums of a window that have left 64 bits: their values are NULL. The results' thread.
     */
    void tellSums(long beyond) {
        if (sums == null) {
            sums = account.stage("sums:" + name());
        }
        sums.offered().add(beyond);
        sums.lost("beyond_64_bits").add(beyond);
    }

    /** Counts a window that kept only its heaviest groups. The results' thread. */
    void tell(TopKAccount kept) {
        Stage stage = heaviest.orElseThrow();
        stage.offered().add(kept.packetsKept() + kept.packetsLost());
        stage.processed().add(kept.packetsKept());
        stage.lost("left_out").add(kept.packetsLeftOut());
        if (kept.packetsWithoutRoom() > 0) {
            stage.lost("no_memory").add(kept.packetsWithoutRoom());
        }
    }

    /** Sends its windows to another process, where others perhaps read its rows. */
    void leaveBy(PartialExporter departure, boolean readElsewhere) {
        result.leaveBy(departure);
        if (readElsewhere) {
            result.addReader(batch -> {});
        }
    }

    /**
     * Sets the state that it shares.
     *
     * @param code its code over that state's groups
     */
    void shares(SharedState state, CompiledQuery code) {
        sharedState = state;
        over = code;
    }

    /** Returns its code over the groups of its shared state. */
    CompiledQuery over() {
        return over;
    }

    boolean leaves() {
        return result.leaves();
    }

    Query query() {
        return code.query();
    }

    String name() {
        return code.query().name();
    }

    boolean dependsOn(RunningQuery other) {
        return read == other || upstream == other;
    }
}
