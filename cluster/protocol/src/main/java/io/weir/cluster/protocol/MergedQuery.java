package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.StateForm;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.result.ResultQuery;

/** A version of a query whose windows come from other processes. */
final class MergedQuery {
    final CompiledQuery code;
    final long version;
    final StateForm form;
    final ResultQuery result;

    /** True if two sources can have parts of a group. */
    final boolean splits;

    /** True if the windows are merged already: groups in one piece, totals added up. */
    final boolean counted;

    final FinalStates finals = new FinalStates();

    /** True if its totals are read as a table and the windows are merged already. */
    boolean keepsTable;

    MergedQuery(CompiledQuery code, long version, boolean splits, boolean counted) {
        this.counted = counted;
        this.code = code;
        this.version = version;
        this.splits = splits;
        form = StateForm.of(code);
        result = new ResultQuery(code);
    }

    /**
     * Checks a part that was read.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY if groups found no room, and rows would not report
     *     it
     */
    void check(Partial part) {
        boolean told = code.query().budget().flatMap(Budget::rank).isPresent();
        if (part.groupsLost() > 0 && !told) {
            throw new WeirException(
                    ErrorCode.OUT_OF_NATIVE_MEMORY,
                    "no native memory to read " + part.groupsLost() + " groups of " + result.name(),
                    "let it have fewer groups, or give the merge more memory");
        }
    }
}
