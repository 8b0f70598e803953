package io.weir.bench;

/**
 * How long to measure.
 *
 * <p>A kernel's first passes are also HotSpot's: what it has compiled after one pass it takes back
 * and compiles anew, up to the seventh, which takes up to half as long again as later ones.
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
