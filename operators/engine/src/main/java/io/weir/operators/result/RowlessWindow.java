package io.weir.operators.result;

import io.weir.operators.error.WeirException;

/**
 * A window without rows, because there was no memory.
 *
 * @param packets those in it that were processed; 0 if others count them, or if nobody knows
 */
public record RowlessWindow(WeirException why, long packets) {}
