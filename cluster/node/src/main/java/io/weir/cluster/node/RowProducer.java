package io.weir.cluster.node;

import io.weir.operators.rows.RowSink;

/** One execution of a query: a thread runs it, any other may stop it. */
public interface RowProducer {
    /**
     * Passes all rows to the sink, in order. Returns at the end of the input or soon after {@link
     * #stop}. A sink that blocks holds the input back. Called once.
     *
     * @throws io.weir.operators.error.WeirException an error for the user
     */
    void produce(RowSink sink);

    /** Ends it early. Idempotent, from any thread, before, during and after {@link #produce}. */
    void stop();
}
