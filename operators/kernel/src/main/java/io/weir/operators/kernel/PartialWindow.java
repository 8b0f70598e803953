package io.weir.operators.kernel;

/** A closed window of one state. Its groups are the receiver's. */
public record PartialWindow(long startNs, long endNs, Partial groups) {}
