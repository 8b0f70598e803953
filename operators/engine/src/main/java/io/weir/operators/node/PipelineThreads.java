package io.weir.operators.node;

/** The threads that run an engine's pipelines. */
enum PipelineThreads {
    /** A single pipeline runs on the reader's thread, several have a thread each. */
    FOR_SEVERAL,
    /** Each pipeline has a thread. So no source waits for a kernel. */
    ALWAYS,
    /** Each reader runs the pipelines of its rings: run to completion. */
    NEVER
}
