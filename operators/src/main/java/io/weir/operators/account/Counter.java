package io.weir.operators.account;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A count with one writer at a time. Readers, on any thread, see a value that the writer had; what
 * the writer stored before {@link #add} is seen by who reads the sum.
 */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** By the owner only: this is no atomic addition. */
    public void add(long n) {
        value.setRelease(value.getPlain() + n);
    }

    public long value() {
        return value.getAcquire();
    }
}
