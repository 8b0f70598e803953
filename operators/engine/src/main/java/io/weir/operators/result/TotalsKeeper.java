package io.weir.operators.result;

import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RunningTotals;
import java.util.List;

/** Stores running totals, so that another process can go on with them. The results' thread. */
public interface TotalsKeeper {
    /** Takes the changes of a tick before they are added. The caller keeps the partials. */
    void changes(long endNs, List<Partial> changes);

    /** Notes that the changes were added. */
    void added(long endNs, RunningTotals totals);
}
