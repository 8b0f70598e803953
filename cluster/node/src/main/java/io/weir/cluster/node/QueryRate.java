package io.weir.cluster.node;

import io.weir.operators.node.QueryCost;

/**
 * The work of a query over a span of time that has just ended.
 *
 * @param cost its work so far
 * @param seconds the span
 * @param packetsPerS packets that its kernel tested; 0 if it reads rows
 * @param rowsPerS rows that were made here
 * @param coreShare of one core's time, of all its threads: 1 is a whole core
 */
public record QueryRate(
        QueryCost cost, double seconds, double packetsPerS, double rowsPerS, double coreShare) {
    /** Returns the time for each packet: in the kernel, and to close windows. */
    public double nsPerPacket() {
        return cost.kernelNsPerPacket() + cost.advanceNsPerPacket();
    }

    /** Returns whether the kernel's work is counted under another query's name. */
    public boolean isShared() {
        return !cost.stateOf().equals(cost.query());
    }
}
