package io.weir.operators.result;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import java.util.List;

/**
 * Where the windows of a query go that this process makes no rows of: on to be merged with those of
 * others. The results' thread, off the packet path.
 */
public interface Departure {
    /**
     * One activation of the query.
     *
     * @param over the query's code over the groups, which it may share with others
     * @param fromNs which activation: when it began; {@link Long#MIN_VALUE} without WHEN
     * @param untilNs when it ends, as far as is known
     * @param activeFromNs from when it has counted here
     * @param output who shall have its rows
     */
    record Departing(
            CompiledQuery over,
            long fromNs,
            long untilNs,
            long activeFromNs,
            Activation.Output output) {}

    /**
     * A window.
     *
     * @param losses since the activation's window before
     * @param processed packets that ran since then
     */
    record Span(long startNs, long endNs, Losses losses, long processed) {}

    /**
     * A window that is complete as far as this process goes; in order of their ends.
     *
     * @param parts no group is in two of them; the caller's, and gone afterwards
     */
    void window(Departing from, List<Partial> parts, Span span);

    /**
     * Whether running totals are read as a table there: then the first window has all groups, and
     * those after it the ones that have changed.
     */
    default boolean wantsTable() {
        return false;
    }

    /**
     * An activation that ends later than was told before. What passes after that is told after it:
     * who merges its windows must not take it for over.
     */
    default void renewed(Departing from) {}

    /** No further window of this activation comes. */
    void ended(Departing from);

    /**
     * The engine has ended the query, or could not begin it: what these activations still had, and
     * packets from now on, is in none of its windows.
     */
    default void failed(List<Departing> activations) {}
}
