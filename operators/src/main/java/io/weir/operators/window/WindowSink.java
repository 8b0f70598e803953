package io.weir.operators.window;

/** Where closed windows go. */
public interface WindowSink {
    /** Takes over a window's tables; in order of end. */
    void closed(long windowStartNs, long windowEndNs, Tables tables);
}
