package io.weir.cluster.worker;

import io.weir.ingest.source.CaptureInput;
import io.weir.ingest.source.CaptureLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * When a worker's replay begins. Immutable.
 *
 * @param at empty: at once
 */
record Beginning(Optional<Instant> at) {
    private static final long SECOND_NS = 1_000_000_000L;

    /** As the options say; where it is as soon as the worker is ready, that is now. */
    static Beginning of(ReplayOptions replay, WorkerListener listener) {
        if (replay.begin().equals(Optional.of(ReplayOptions.WHEN_READY))) {
            Instant now = Instant.now();
            listener.note("packets begin at " + now);
            return new Beginning(Optional.of(now));
        }
        return new Beginning(replay.begin());
    }

    /**
     * Windows that end by then have no packets of a worker that begins from now on: a packet may be
     * older than the first one by the lateness.
     */
    static long emptyUntilNs(WorkerSettings settings, List<CaptureInput> inputs) {
        long latenessNs = settings.node().lateness().toNanos();
        if (settings.replay().shifted()) {
            Instant begin = settings.replay().begin().orElseThrow();
            boolean ready = begin.equals(ReplayOptions.WHEN_READY);
            return ns(ready ? Instant.now() : begin) - latenessNs;
        }
        OptionalLong first = CaptureLoop.firstNs(inputs);
        return first.isPresent() ? first.getAsLong() - latenessNs : Long.MIN_VALUE;
    }

    private static long ns(Instant time) {
        return time.getEpochSecond() * SECOND_NS + time.getNano();
    }

    /** Waits for it, or until it does not matter any more. */
    void await(BooleanSupplier givenUp) throws InterruptedException {
        while (at.isPresent() && Instant.now().isBefore(at.get()) && !givenUp.getAsBoolean()) {
            Thread.sleep(1);
        }
    }

    /** As a time of packets; 0 where it is at once. */
    long ns() {
        return at.map(Beginning::ns).orElse(0L);
    }

    /** By the clock of nanoTime. Who comes late to a common beginning catches up. */
    long beganNs() {
        Duration late = at.map(time -> Duration.between(time, Instant.now())).orElse(Duration.ZERO);
        return System.nanoTime() - late.toNanos();
    }
}
