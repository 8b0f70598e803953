package io.weir.cluster.sink;

import io.weir.operators.rows.RowBatch;

/**
 * Writes rows for a reader who may go away ({@code | head}). From then on they are dropped, and the
 * maker of rows is told once. Other failures are thrown. The results' thread, except {@link
 * #isGone}.
 */
public final class ReaderSink implements OutputSink {
    private final OutputSink sink;
    private Runnable whenGone = () -> {};
    private volatile boolean gone;

    public ReaderSink(OutputSink sink) {
        this.sink = sink;
    }

    /** Sets the action for that case; before the first row. */
    public void whenGone(Runnable told) {
        whenGone = told;
    }

    /** Returns whether the reader has gone. Any thread. */
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
