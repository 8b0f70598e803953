package io.weir.operators.kernel;

/** The rows of one partition that a function of OVER can read, by their numbers. One thread. */
interface OverValues {
    boolean isNull(int column, long row);

    /** Returns the address of the value's first word. */
    long address(int column, long row);

    /** Returns the end of a window such that no partition of a later one was forgotten. */
    long knownFromNs();
}
