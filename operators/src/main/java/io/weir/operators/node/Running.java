package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Kept;
import io.weir.operators.result.Departure;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.RowSink;
import io.weir.operators.result.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A query of an engine: its place in the results, its crowd, what it reads. The results' lock. */
final class Running {
    final CompiledQuery code;
    final ResultQuery result;

    /** One for each pipeline; one for a query over rows. */
    final List<QueryLedger> ledgers = new ArrayList<>();

    /** Of a query that keeps its heaviest groups: which of its windows' packets they have. */
    final Optional<Stage> heaviest;

    private final Account account;

    /** Of sums that are NULL, once there are any. */
    private Stage sums;

    Crowd crowd;

    /** Of a query over another's rows: that one, and how it reads it. */
    Running read;

    RowSink reader;

    TableReader tableReader;

    /** Of a query with WHEN: whose rows are tested, and by what. */
    Running upstream;

    Waking waking;

    Running(CompiledQuery code, RowSink sink, Account account, int pipelines) {
        this.code = code;
        this.account = account;
        result = new ResultQuery(code);
        result.addSink(sink);
        boolean ranks = query().budget().flatMap(Budget::rank).isPresent();
        heaviest = ranks ? Optional.of(account.stage("topk:" + name())) : Optional.empty();
        for (int part = query().readsPackets() ? pipelines : 1; part > 0; part--) {
            ledgers.add(new QueryLedger(account.stage("query:" + name())));
        }
    }

    /** Sums of a window have left 64 bits: their values are NULL. The results' thread. */
    void tellSums(long beyond) {
        if (sums == null) {
            sums = account.stage("sums:" + name());
        }
        sums.offered().add(beyond);
        sums.lost("beyond_64_bits").add(beyond);
    }

    /** A window of which only the heaviest groups stayed. The results' thread. */
    void tell(Kept kept) {
        Stage stage = heaviest.orElseThrow();
        stage.offered().add(kept.packetsKept() + kept.packetsLost());
        stage.processed().add(kept.packetsKept());
        stage.lost("left_out").add(kept.packetsLeftOut());
        if (kept.packetsWithoutRoom() > 0) {
            stage.lost("no_memory").add(kept.packetsWithoutRoom());
        }
    }

    /** Its windows go elsewhere, and perhaps others read its rows there. */
    void leaveBy(Departure departure, boolean readElsewhere) {
        result.leaveBy(departure);
        if (readElsewhere) {
            result.addReader(batch -> {});
        }
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

    boolean dependsOn(Running other) {
        return read == other || upstream == other;
    }
}
