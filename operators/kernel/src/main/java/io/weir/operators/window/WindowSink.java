package io.weir.operators.window;

/** Takes closed windows. */
public interface WindowSink {
    /**
     * Takes over a window's tables, in order of end.
     *
     * @param groupsLost groups, tuples or rows of its panes that found no memory in the merge
     */
    void closed(long windowStartNs, long windowEndNs, Tables tables, long groupsLost);
}
