package io.weir.operators.node;

import java.util.concurrent.atomic.AtomicReference;

/** The first failure on any thread of an engine; it ends the run. Any thread. */
final class Failure {
    private final AtomicReference<Throwable> first = new AtomicReference<>();

    void set(Throwable failure) {
        first.compareAndSet(null, failure);
    }

    boolean isSet() {
        return first.get() != null;
    }

    /** Throws the failure of another thread on this one. */
    void check() {
        Throwable failure = first.get();
        if (failure instanceof RuntimeException exception) {
            throw exception;
        } else if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
