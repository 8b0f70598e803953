package io.weir.operators.window;

/** How the panes of a window become one. */
public interface TablesMerge {
    /**
     * Adds {@code from}'s groups to {@code into}'s; {@code from} stays as it is.
     *
     * @return how many groups, tuples or rows there was no room for
     */
    long merge(Tables into, Tables from);
}
