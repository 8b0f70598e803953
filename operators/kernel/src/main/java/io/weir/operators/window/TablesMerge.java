package io.weir.operators.window;

/** Merges the panes of a window. */
public interface TablesMerge {
    /**
     * Adds {@code from}'s groups to {@code into}'s; {@code from} stays as it is.
     *
     * @return the number of groups, tuples or rows without room
     */
    long merge(Tables into, Tables from);
}
