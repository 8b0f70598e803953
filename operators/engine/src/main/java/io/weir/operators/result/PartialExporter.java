package io.weir.operators.result;

import io.weir.operators.kernel.BindingFeed;
import io.weir.operators.kernel.BindingSpan;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import java.util.List;
import java.util.Optional;

/**
 * Takes the windows of a query whose rows another process makes, and sends them to be merged there.
 * The results' thread, off the packet path.
 */
public interface PartialExporter {
    /**
     * One activation of the query.
     *
     * @param over the query's code over the groups, which it may share with others
     * @param fromNs identifies the activation by its start; {@link Long#MIN_VALUE} without WHEN
     * @param untilNs its end, as far as it is known
     * @param activeFromNs from when it has counted here
     * @param output the receivers of its rows
     * @param bindings of a query that uses values
     */
    record Departing(
            CompiledQuery over,
            long fromNs,
            long untilNs,
            long activeFromNs,
            Receivers output,
            Optional<BindingFeed> bindings) {
        /** Makes an activation of a query without values. */
        public Departing(
                CompiledQuery over,
                long fromNs,
                long untilNs,
                long activeFromNs,
                Receivers output) {
            this(over, fromNs, untilNs, activeFromNs, output, Optional.empty());
        }

        /** Returns the times of the bindings that have groups in these parts. */
        public List<BindingSpan> spans(List<Partial> parts) {
            return bindings.filter(feed -> over.query().aggregate().isPresent())
                    .map(feed -> feed.spans(Partial.activations(parts)))
                    .orElse(List.of());
        }
    }

    /**
     * A window.
     *
     * @param losses since the activation's last window
     * @param processed packets that ran since then
     */
    record Span(long startNs, long endNs, Losses losses, long processed) {}

    /**
     * Takes a window that is complete in this process; in order of the ends.
     *
     * @param parts no group is in two of them; the caller owns them, and frees them afterwards
     */
    void window(Departing from, List<Partial> parts, Span span);

    /**
     * Returns whether running totals are read as a table there. The first window then has all
     * groups, and later ones those that have changed.
     */
    default boolean wantsTable() {
        return false;
    }

    /**
     * Reports that an activation ends later than reported before. The report comes before any
     * window after the old end. So the merging process does not take the activation for ended.
     */
    default void renewed(Departing from) {}

    /** No further window of this activation comes. */
    void ended(Departing from);

    /**
     * Reports that the engine has ended the query, or could not begin it. These activations send no
     * more windows, and their open packets are in none.
     */
    default void failed(List<Departing> activations) {}
}
