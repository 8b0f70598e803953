package io.weir.operators.window;

/**
 * A closed window. Its tables are the receiver's.
 *
 * @param groupsLost groups, tuples or rows of its panes that found no memory in the merge
 */
public record ClosedPanes(long startNs, long endNs, Tables tables, long groupsLost) {}
