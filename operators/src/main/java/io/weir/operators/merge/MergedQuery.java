package io.weir.operators.merge;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.wire.StateForm;

/** A version of a query whose windows come from elsewhere. */
final class MergedQuery {
    final CompiledQuery code;
    final long version;
    final StateForm form;
    final ResultQuery result;

    /** Whether two sources can have parts of a group. */
    final boolean splits;

    /** Whether what comes is merged already: groups in one piece, totals added up. */
    final boolean counted;

    final Finals finals = new Finals();

    MergedQuery(CompiledQuery code, long version, boolean splits, boolean counted) {
        this.counted = counted;
        this.code = code;
        this.version = version;
        this.splits = splits;
        form = StateForm.of(code);
        result = new ResultQuery(code);
    }
}
