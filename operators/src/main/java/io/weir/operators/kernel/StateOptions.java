package io.weir.operators.kernel;

/**
 * How a query's state is kept.
 *
 * @param maxBytes bound of one pipeline's state; groups beyond it are refused and their packets
 *     counted
 * @param tickNs 0: totals without a window come once, at the end. Over 0: they come as the changes
 *     of each tick, for {@link RunningTotals} to add up. Without effect on windows
 */
public record StateOptions(long maxBytes, long tickNs) {
    public static final StateOptions DEFAULT = new StateOptions(256L << 20, 0);

    public StateOptions {
        if (maxBytes <= 0 || tickNs < 0) {
            throw new IllegalArgumentException(maxBytes + " bytes, tick of " + tickNs + " ns");
        }
    }
}
