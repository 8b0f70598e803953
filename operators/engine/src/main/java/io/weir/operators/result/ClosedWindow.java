package io.weir.operators.result;

import io.weir.operators.kernel.Partial;

/** A pipeline's window, or another report of it, on its way to the merger of its state. */
public record ClosedWindow(WindowMerger merger, WindowPart part) {
    /** Returns the window's groups, which the holder closes; null for another report. */
    public Partial partial() {
        return part.partial();
    }
}
