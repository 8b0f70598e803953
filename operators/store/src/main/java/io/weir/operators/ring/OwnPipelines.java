package io.weir.operators.ring;

/**
 * The pipelines behind the rings of one reader, if the reader's thread runs them: run to
 * completion. The thread that writes to the rings calls it.
 */
public interface OwnPipelines {
    /** A reader whose pipelines run elsewhere has these. */
    OwnPipelines NONE =
            new OwnPipelines() {
                @Override
                public void begin() {}

                @Override
                public void run() {}
            };

    /** Binds the reader's thread to its CPU, before its first step. */
    void begin();

    /** Runs them over all blocks that are there, after a step. Throws their failure. */
    void run();
}
