package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.TableReader;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.WhenTester;
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
    final Way way;

    /** The shared state that it joins; null if it needs one of its own. */
    final SharedState joins;

    /** Its WHEN, over the rows of its upstream; or null. */
    final WhenTester.Conditions conditions;

    /** The account pages: one for each pipeline; one for a query over rows. */
    final List<QueryLedger> ledgers = new ArrayList<>();

    /**
     * The page of a query that keeps its heaviest groups: how many of its windows' packets they
     * have.
     */
    Optional<Stage> heaviest = Optional.empty();

    private Account account;

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

    /**
     * Says where its windows go, and where its condition is tested.
     *
     * @param exporter takes its windows, or null: its rows are made here
     * @param readElsewhere whether others read its rows, wherever these are made
     * @param wokenElsewhere whether its condition is over rows that are unknown here
     */
    record Way(PartialExporter exporter, boolean readElsewhere, boolean wokenElsewhere) {
        static final Way STAYS = new Way(null, false, false);
    }

    /**
     * Makes a query that is in no engine yet. This takes time, so it is done without the results'
     * lock and off the packet path.
     *
     * @param joins a shared state that it can join; or null
     * @param upstream the query whose rows its WHEN tests; or null
     */
    RunningQuery(
            CompiledQuery code, RowSink sink, Way way, SharedState joins, RunningQuery upstream) {
        this.code = code;
        this.way = way;
        this.joins = joins;
        this.upstream = upstream;
        over = joins == null ? code : KernelCompiler.compile(joins.over(query()), code.layouts());
        conditions =
                upstream == null
                        ? null
                        : WhenTester.Conditions.of(query().when().orElseThrow(), upstream.code);
        result = new ResultQuery(code);
        result.addSink(sink);
        if (way.exporter() != null) {
            result.leaveBy(way.exporter());
            if (way.readElsewhere()) {
                result.addReader(batch -> {});
            }
        }
    }

    /** Makes its pages in the account, once the engine takes it. */
    void open(Account pages, int pipelines) {
        account = pages;
        boolean ranks = query().budget().flatMap(Budget::rank).isPresent();
        heaviest = ranks ? Optional.of(account.stage("topk:" + name())) : Optional.empty();
        for (int part = query().reads().comesAsGpvs() ? pipelines : 1; part > 0; part--) {
            ledgers.add(new QueryLedger(account.stage("query:" + name())));
        }
    }

    /** Makes its page for one more pipeline. */
    void widen(Account pages) {
        if (query().reads().comesAsGpvs()) {
            ledgers.add(new QueryLedger(pages.stage("query:" + name())));
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

    /**
     * Sets the state that it shares.
     *
     * @param groups its code over that state's groups
     */
    void shares(SharedState state, CompiledQuery groups) {
        sharedState = state;
        over = groups;
    }

    /** Returns its code over the groups of the state that it shares, or joins. */
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
