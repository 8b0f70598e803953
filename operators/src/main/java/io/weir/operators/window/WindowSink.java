package io.weir.operators.window;

/** Where closed windows go. */
public interface WindowSink {
    /**
     * Takes over a window's tables; in order of end.
     *
     * @param groupsLost groups, tuples or rows of its panes that there was no memory to put
     *     together
     */
    void closed(long windowStartNs, long windowEndNs, Tables tables, long groupsLost);
}
