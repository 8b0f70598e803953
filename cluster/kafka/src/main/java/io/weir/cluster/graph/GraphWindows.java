package io.weir.cluster.graph;

import io.weir.cluster.wire.GraphWindow;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowRows;

/** Windows in plans. Stateless. */
final class GraphWindows {
    private GraphWindows() {}

    static GraphWindow of(Window window) {
        GraphWindow.Builder made =
                GraphWindow.newBuilder()
                        .setSizeNs(window.sizeNs())
                        .setSlideNs(window.slideNs())
                        .setOffsetNs(window.offsetNs());
        if (window.rows().needsEmptyWindows()) {
            made.setRows(window.rows().form().name()).setKeptWindows(window.rows().windows());
        }
        return made.build();
    }

    static Window window(GraphWindow of) {
        return new Window(of.getSizeNs(), of.getSlideNs(), of.getOffsetNs(), rows(of));
    }

    /** Throws IllegalArgumentException if this release does not know such rows. */
    private static WindowRows rows(GraphWindow of) {
        if (of.getRows().isEmpty()) {
            return WindowRows.FILLED;
        }
        return new WindowRows(WindowRows.Form.valueOf(of.getRows()), of.getKeptWindows());
    }
}
