package io.weir.operators.result;

/**
 * What an activation over rows must know again to go on after its process, but for the rows that it
 * has read.
 *
 * @param completeness the least of what it has read since its window before
 * @param untold as {@link Activation#untold}
 * @param rowsSkipped of OFFSET, over the whole stream; {@code rowsPassed} of LIMIT
 * @param advancedNs windows that end by then were said
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
