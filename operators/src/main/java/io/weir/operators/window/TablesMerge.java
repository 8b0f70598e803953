package io.weir.operators.window;

/** How the panes of a window become one. */
public interface TablesMerge {
    /** Adds {@code from}'s groups to {@code into}'s; {@code from} stays as it is. */
    void merge(Tables into, Tables from);
}
