package io.weir.operators.result;

/** The outcome of the rows that an activation has read. */
public record RowCounts(long processed, long late, long inactive, long stateFull) {}
