package io.weir.operators.kernel;

/**
 * The groups, or rows, of one window as one pipeline saw them. Owned by one thread at a time;
 * whoever holds it last closes it.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Partial implements AutoCloseable {
    Partial() {}

    public boolean isEmpty() {
        return groups() == 0;
    }

    /** Groups, or rows of a query without aggregates. */
    public long groups() {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Native memory held. */
    public long bytes() {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Groups that a merge had no room for. */
    public long groupsLost() {
        throw new UnsupportedOperationException("in the next slice");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("in the next slice");
    }
}
