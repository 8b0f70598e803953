package io.weir.bench;

import java.util.List;

/**
 * How long to measure.
 *
 * @param rounds forks of each benchmark, each beside a run of its baseline; the row is the median
 * @param warmups iterations of a second that do not count
 * @param iterations of a second that do
 * @param packets in the traces of kernels
 * @param sources numbers of groups
 * @param nativeRepetitions passes of each native variant in each round
 */
record Effort(
        int rounds,
        int warmups,
        int iterations,
        long packets,
        List<Integer> sources,
        int nativeRepetitions) {
    private static final long TRACE_PACKETS = 18_600_000;
    private static final int TRACE_SOURCES = 617_000;

    static final Effort FULL =
            new Effort(5, 3, 5, TRACE_PACKETS, List.of(1_000, 100_000, TRACE_SOURCES), 7);
    static final Effort QUICK =
            new Effort(1, 2, 3, TRACE_PACKETS, List.of(1_000, TRACE_SOURCES), 5);
}
