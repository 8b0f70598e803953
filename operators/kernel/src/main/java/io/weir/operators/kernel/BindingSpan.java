package io.weir.operators.kernel;

import io.weir.operators.graph.WindowEnds;

/**
 * The times of one activation of a query that uses values, for a process that makes its rows and
 * does not count its packets.
 *
 * @param number of the activation
 * @param untilNs its end, as far as it is known
 * @param activeFromNs from when it counts in fact; its rows show it
 */
public record BindingSpan(long number, long fromNs, long untilNs, long activeFromNs) {
    /** Returns one that two sources have told: it counts from the later begin. */
    BindingSpan with(BindingSpan other) {
        return new BindingSpan(
                number,
                fromNs,
                WindowEnds.laterEnd(untilNs, other.untilNs),
                Math.max(activeFromNs, other.activeFromNs));
    }
}
