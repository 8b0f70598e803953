package io.weir.cluster.sink;

import io.weir.operators.result.RowBatch;

/**
 * Rows for a reader who may go away ({@code | head}): from then on they are dropped, and whoever
 * makes them is told once. Failures other than that are thrown. The results' thread, but for {@link
 * #isGone}.
 */
public final class ReaderSink implements OutputSink {
    private final OutputSink sink;
    private Runnable whenGone = () -> {};
    private volatile boolean gone;

    public ReaderSink(OutputSink sink) {
        this.sink = sink;
    }

    /** Whom to tell; before the first row. */
    public void whenGone(Runnable told) {
        whenGone = told;
    }

    /** Whether the reader went away. Any thread. */
    public boolean isGone() {
        return gone;
    }

    @Override
    public void rows(RowBatch batch) {
        whileThere(() -> sink.rows(batch));
    }

    @Override
    public void end() {
        whileThere(sink::end);
    }

    @Override
    public void close() {
        whileThere(sink::close);
    }

    private void whileThere(Runnable writing) {
        if (gone) {
            return;
        }
        try {
            writing.run();
        } catch (OutputClosed e) {
            if (!e.isBrokenPipe()) {
                throw e;
            }
            gone = true;
            whenGone.run();
        }
    }
}
