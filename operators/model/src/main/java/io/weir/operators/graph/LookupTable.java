package io.weir.operators.graph;

/**
 * A table that expressions look up. A literal has it, as the first argument of a lookup. Its rows
 * can be replaced while queries read them; name and columns stay.
 */
public interface LookupTable {
    /** Returns the name; of a list of constants it is empty. */
    String name();

    /** Returns the number of this table in this process. */
    long id();

    TableSchema schema();

    /**
     * Finds a row by reading one after another, for tests of kernels.
     *
     * @param key boxed values
     * @return the row's number from 1 up; 0 if there is none
     */
    long scan(Object... key);

    /**
     * Returns a value of a row, for tests of kernels.
     *
     * @param row from {@link #scan}
     * @return the boxed value; null for NULL
     */
    Object value(long row, int column);
}
