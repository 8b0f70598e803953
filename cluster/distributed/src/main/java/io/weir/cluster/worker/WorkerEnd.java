package io.weir.cluster.worker;

import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Ends a worker, and knows why. The first failure counts. Any thread. */
final class WorkerEnd {
    private final PacketReading reading;
    private final Clock clock;
    private final AtomicReference<WeirException> failure = new AtomicReference<>();

    /** The time when it was asked to stop; 0: it was not. */
    private final AtomicLong stopAtMs = new AtomicLong();

    private volatile boolean abandoned;

    WorkerEnd(PacketReading reading, Clock clock) {
        this.reading = reading;
        this.clock = clock;
    }

    /** Ends the packets soon, as if the captures ended there. Idempotent. */
    void stop() {
        stopAtMs.compareAndSet(0, clock.millis());
        reading.stop();
    }

    void fail(WeirException cause) {
        failure.compareAndSet(null, cause);
        stop();
    }

    /** Ends it soon, and lets nothing more be sent. */
    void abandon() {
        abandoned = true;
        stop();
    }

    boolean isAbandoned() {
        return abandoned;
    }

    Optional<WeirException> failure() {
        return Optional.ofNullable(failure.get());
    }

    /**
     * Returns whether it may take its time: a caller that stops it must not wait long for Kafka.
     */
    boolean hasTime(long mostMs) {
        long since = stopAtMs.get();
        return since == 0 || clock.millis() - since < mostMs;
    }
}
