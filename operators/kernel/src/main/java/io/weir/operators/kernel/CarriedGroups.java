package io.weir.operators.kernel;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import java.util.List;

/**
 * Groups that go over from one window of an activation to the next: parts of open sessions, or keys
 * that have rows without packets. Its memory is the query's budget, beside that of its groups. One
 * thread.
 */
public abstract class CarriedGroups implements AutoCloseable {
    /** The bound for a query without a budget. */
    static final long DEFAULT_BYTES = 64L << 20;

    private final Query query;
    private long forgotten;

    CarriedGroups(Query query) {
        this.query = query;
    }

    static long maxBytes(CompiledQuery code) {
        return code.query().budget().map(Budget::memoryBytes).orElse(DEFAULT_BYTES);
    }

    /**
     * Returns the groups that have rows in a window, and keeps those that go over.
     *
     * @param whole the groups with packets, each in one partial; they belong to this method
     * @param endNs of the window, after that of the window before
     * @param isPartial whether the window was seen in part
     */
    public abstract List<Partial> of(List<Partial> whole, long endNs, boolean isPartial);

    /** Counts groups that found no room. */
    final void forget(long groups) {
        forgotten += groups;
    }

    /**
     * Returns how many groups found no room since the last call.
     *
     * @throws WeirException BUDGET_EXCEEDED if the query shall rather end
     */
    public final long takeForgotten() {
        long count = forgotten;
        forgotten = 0;
        boolean fails =
                query.budget().filter(b -> b.overflow() == Budget.Overflow.FAIL).isPresent();
        if (count > 0 && fails) {
            throw new WeirException(
                    ErrorCode.BUDGET_EXCEEDED,
                    "the groups that go over to the next window take more than its memory",
                    "raise memory, or let it have fewer groups");
        }
        return count;
    }

    @Override
    public abstract void close();
}
