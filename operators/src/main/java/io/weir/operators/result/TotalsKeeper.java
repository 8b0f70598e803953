package io.weir.operators.result;

import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RunningTotals;
import java.util.List;

/** Keeps running totals for a process that goes on with them. The results' thread. */
public interface TotalsKeeper {
    /** What a tick adds, before it is added. The partials stay the caller's. */
    void changes(long endNs, List<Partial> changes);

    /** It was. */
    void added(long endNs, RunningTotals totals);
}
