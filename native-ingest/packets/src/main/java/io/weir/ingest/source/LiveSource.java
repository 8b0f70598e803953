package io.weir.ingest.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** One live source of an engine, with a reader for each of its receive queues. Any thread. */
final class LiveSource {
    /** The time between two looks whether packets can come. */
    private static final long LOOK_NS = 500_000_000L;

    private final String name;
    private final SourceSpec spec;
    private final boolean first;
    private final List<QueueReader> readers = new ArrayList<>();
    private final SourceRate packetRate = new SourceRate();
    private final SourceRate byteRate = new SourceRate();
    private final AtomicReference<SourceState> told = new AtomicReference<>(SourceState.WAITING);
    private long nextLookNs = Long.MIN_VALUE;

    /**
     * @param first whether it is there from the beginning on
     */
    LiveSource(String name, SourceSpec spec, boolean first) {
        this.name = name;
        this.spec = spec;
        this.first = first;
    }

    /** Adds a queue's reader, before any of them starts. */
    void add(QueueReader reader) {
        readers.add(reader);
    }

    String name() {
        return name;
    }

    SourceSpec spec() {
        return spec;
    }

    List<QueueReader> readers() {
        return readers;
    }

    void stop() {
        readers.forEach(QueueReader::stop);
    }

    void awaitEnd() {
        readers.forEach(QueueReader::awaitEnd);
    }

    /** If a queue has failed for good, ends the others: half of a source is none. */
    void endIfFailed() {
        if (worst().state() == SourceState.FAILED) {
            stop();
        }
    }

    private QueueReader worst() {
        return readers.stream().max(Comparator.comparing(QueueReader::state)).orElseThrow();
    }

    /** Returns whether no packet comes any more. */
    boolean isOver() {
        return readers.stream().allMatch(reader -> reader.state().isOver());
    }

    /** Returns why it cannot come back, if it has failed for good. */
    Optional<Throwable> failure() {
        QueueReader worst = worst();
        return worst.state() == SourceState.FAILED ? worst.error() : Optional.empty();
    }

    /** Returns whether it has failed for good, and was never open since the beginning. */
    boolean failedAtStart() {
        return first && failure().isPresent() && readers.stream().noneMatch(QueueReader::hasRun);
    }

    /** Takes note of its counts, for the rates, and of whether packets can come. One thread. */
    void tick(long nowNs) {
        if (nowNs >= nextLookNs) {
            nextLookNs = nowNs + LOOK_NS;
            Optional<String> silence = Sources.factory(spec.scheme()).silence(spec);
            readers.forEach(reader -> reader.silence(silence));
        }
        packetRate.tick(nowNs, this::packets);
        byteRate.tick(nowNs, () -> readers.stream().mapToLong(QueueReader::bytes).sum());
    }

    private long packets() {
        return SourceStatus.packets(readers.stream().flatMap(r -> r.pages().stream()).toList());
    }

    /** Returns whether it is in another state than at the last call. */
    boolean isNews(SourceState now) {
        return told.getAndSet(now) != now;
    }

    SourceStatus status(long nowMs) {
        QueueReader worst = worst();
        return new SourceStatus(
                name,
                spec,
                worst.state(),
                worst.sinceMs(),
                nowMs,
                packetRate.perSecond(),
                byteRate.perSecond(),
                readers.stream().flatMap(reader -> reader.pages().stream()).toList(),
                readers.stream().mapToLong(QueueReader::seenNs).max().orElse(Long.MIN_VALUE),
                readers.stream().mapToDouble(reader -> reader.rings().fill()).max().orElse(0),
                worst.error().map(SourceStatus::text),
                readers.stream().mapToInt(QueueReader::retries).sum());
    }
}
