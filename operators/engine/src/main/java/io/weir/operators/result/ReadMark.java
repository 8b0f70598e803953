package io.weir.operators.result;

/**
 * The state that an activation over rows needs to continue in a new process, besides the rows that
 * it has read.
 *
 * @param completeness the least completeness of the rows read since its last window
 * @param untold as {@link Activation#untold}
 * @param rowsSkipped of OFFSET, over the whole stream; {@code rowsPassed} of LIMIT
 * @param advancedNs windows that end by then were reported
 */
public record ReadMark(
        long fromNs,
        long untilNs,
        long activeFromNs,
        double completeness,
        long untold,
        long rowsSkipped,
        long rowsPassed,
        long advancedNs) {}
