package io.weir.operators.kernel;

/**
 * The options of a query's state.
 *
 * @param maxBytes bound of one pipeline's state; groups beyond it are refused and their packets
 *     counted
 * @param tickNs 0: totals without a window come once, at the end. Over 0: they come as the changes
 *     of each tick, and {@link RunningTotals} adds them up. Windows ignore it
 * @param delayNs how much older than the newest one packets may be
 */
public record StateOptions(long maxBytes, long tickNs, long delayNs) {
    public static final StateOptions DEFAULT = new StateOptions(256L << 20, 0);

    /** Makes options without delay. */
    public StateOptions(long maxBytes, long tickNs) {
        this(maxBytes, tickNs, 0);
    }

    public StateOptions {
        if (maxBytes <= 0 || tickNs < 0 || delayNs < 0) {
            throw new IllegalArgumentException(maxBytes + " bytes, tick of " + tickNs + " ns");
        }
    }
}
