package io.weir.operators.account;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A count with one writer at a time. Readers, on any thread, see a value that the writer had. A
 * thread that reads the sum also sees all stores that the writer made before {@link #add}.
 */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** Adds to the count. Only the owner may call it: this is no atomic addition. */
    public void add(long n) {
        value.setRelease(value.getPlain() + n);
    }

    public long value() {
        return value.getAcquire();
    }
}
