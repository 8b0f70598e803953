package io.weir.operators.node;

/**
 * The work of a query so far in this engine. Times are of samples: one of many is measured.
 *
 * @param query its name
 * @param stateOf the query under whose name the kernel's work is counted: another one, if it shares
 *     that one's state
 * @param kernelNs the time of sampled segments of packets in the kernel
 * @param kernelPackets the packets in them
 * @param advanceNs the time that closing windows took, in as large a share of all blocks
 * @param rows the rows that were made
 * @param rowsNs the time that merging and finishing them took, sinks included; all is measured
 * @param stateBytes the native memory of open windows
 * @param mostBytes the most of it that a sample saw on one pipeline
 */
public record QueryCost(
        String query,
        String stateOf,
        long kernelNs,
        long kernelPackets,
        long advanceNs,
        long rows,
        long rowsNs,
        long stateBytes,
        long mostBytes) {

    /** Returns the work of a query without a state. */
    static QueryCost rowsOnly(String query, long rows, long rowsNs) {
        return new QueryCost(query, query, 0, 0, 0, rows, rowsNs, 0, 0);
    }

    /** Returns the time in the kernel for each packet; 0 without a sample. */
    public double kernelNsPerPacket() {
        return kernelPackets == 0 ? 0 : (double) kernelNs / kernelPackets;
    }

    /** Returns the time of closing windows for each packet; 0 without a sample. */
    public double advanceNsPerPacket() {
        return kernelPackets == 0 ? 0 : (double) advanceNs / kernelPackets;
    }

    /** Returns the time for each row; 0 without a row. */
    public double nsPerRow() {
        return rows == 0 ? 0 : (double) rowsNs / rows;
    }
}
