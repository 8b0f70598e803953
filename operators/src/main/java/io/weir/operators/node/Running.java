package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.Departure;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.RowSink;
import java.util.ArrayList;
import java.util.List;

/** A query of an engine: its place in the results, its crowd, what it reads. The results' lock. */
final class Running {
    final CompiledQuery code;
    final ResultQuery result;

    /** One for each pipeline; one for a query over rows. */
    final List<QueryLedger> ledgers = new ArrayList<>();

    Crowd crowd;

    /** Of a query over another's rows: that one, and how it reads it. */
    Running read;

    RowSink reader;

    /** Of a query with WHEN: whose rows are tested, and by what. */
    Running upstream;

    Waking waking;

    Running(CompiledQuery code, RowSink sink, Account account, int pipelines) {
        this.code = code;
        result = new ResultQuery(code);
        result.addSink(sink);
        for (int part = query().readsPackets() ? pipelines : 1; part > 0; part--) {
            ledgers.add(new QueryLedger(account.stage("query:" + name())));
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
