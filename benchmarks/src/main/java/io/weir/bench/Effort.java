package io.weir.bench;

/**
 * The length of a measurement.
 *
 * <p>HotSpot also needs a kernel's first passes. It drops the code of the first pass and compiles
 * again, up to the seventh pass. These passes take up to half as long again as later ones.
 *
 * @param rounds forks of each benchmark; the row is the median
 * @param warmups iterations of a second that do not count
 * @param iterations iterations of a second that do
 * @param warmupPasses passes over a trace that do not count
 * @param passes passes over a trace that do
 * @param packets in the traces of kernels
 */
record Effort(int rounds, int warmups, int iterations, int warmupPasses, int passes, long packets) {
    static final Effort FULL = new Effort(5, 3, 3, 10, 5, 20_000_000);
    static final Effort QUICK = new Effort(2, 2, 3, 10, 5, 20_000_000);
}
