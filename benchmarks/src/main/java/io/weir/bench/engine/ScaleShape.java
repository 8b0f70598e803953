package io.weir.bench.engine;

import java.util.Locale;

/**
 * The division of the work.
 *
 * @param readers receive partitions, a thread each
 * @param pipelines of each partition; 0: the reader runs the kernels itself, in an engine of its
 *     own, so that nothing is shared
 */
record ScaleShape(int readers, int pipelines) {
    boolean isAlone() {
        return pipelines == 0;
    }

    /** Returns the threads, without the results' thread. */
    int threads() {
        return readers + readers * pipelines;
    }

    String title() {
        if (isAlone()) {
            return String.format(Locale.ROOT, "%d × reader that runs its kernels", readers);
        }
        return String.format(
                Locale.ROOT,
                "%d × (reader → %d pipeline%s)",
                readers,
                pipelines,
                pipelines == 1 ? "" : "s");
    }
}
