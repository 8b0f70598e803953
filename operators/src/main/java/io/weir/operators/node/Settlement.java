package io.weir.operators.node;

/**
 * What is known of queries whose rows are made elsewhere: up to when all their windows have been
 * emitted there, and what their rows wake has been told here. Any thread.
 */
public interface Settlement {
    /** All of the query's windows that end at or before this are done with. */
    long settledNs(String query);

    /** The reader's thread has nothing to do until that changes; throws to give up. */
    void pause();
}
