package io.weir.operators.result;

import io.weir.operators.error.WeirException;

/**
 * A window of which no rows are made.
 *
 * @param packets those in it that were processed; 0 where others count them, or nobody knows
 */
public record Unmade(WeirException why, long packets) {}
