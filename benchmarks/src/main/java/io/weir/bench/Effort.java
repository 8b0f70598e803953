package io.weir.bench;

/**
 * How long to measure.
 *
 * @param rounds forks of each benchmark; the row is the median
 * @param warmups iterations of a second, or passes, that do not count
 * @param iterations iterations of a second, or passes, that do
 * @param packets in the traces of kernels
 */
record Effort(int rounds, int warmups, int iterations, long packets) {
    static final Effort FULL = new Effort(5, 3, 3, 20_000_000);
    static final Effort QUICK = new Effort(2, 2, 3, 20_000_000);
}
