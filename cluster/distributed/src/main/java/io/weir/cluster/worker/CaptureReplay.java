package io.weir.cluster.worker;

import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.CaptureLoop;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.ReplayThrottle;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.SourceStatus;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a worker's captures as if their packets came now. It waits for queries and for the begin
 * time, shifts packet times, and keeps their pace. Packets of a pipe really come now. The thread
 * that reads packets calls {@link #run} once; the rest is for any.
 */
final class CaptureReplay implements PacketReading {
    private static final Logger LOG = LoggerFactory.getLogger(CaptureReplay.class);
    private static final long SECOND_NS = 1_000_000_000L;

    /** The most captures that a heartbeat names. */
    private static final int MOST_SOURCES = 50;

    private final WorkerSettings settings;
    private final Account account;
    private final Clock clock;
    private volatile boolean stopped;
    private volatile CaptureLoop loop;

    CaptureReplay(WorkerSettings settings, Account account, Clock clock) {
        this.settings = settings;
        this.account = account;
        this.clock = clock;
    }

    /**
     * Returns at the end of the captures, or soon after {@link #stop}. The merge waits for a worker
     * only after the worker has reported its begin; with a pipe this is at its first packet.
     *
     * @param gate chooses this worker's packets
     * @param isKnown whether others know of this worker now
     */
    void run(
            LocalEngine engine,
            Attachments attachments,
            WorkerEngine queries,
            PacketGate gate,
            BooleanSupplier isKnown)
            throws InterruptedException {
        List<SourceSpec> inputs = settings.captures();
        awaitQueries(attachments);
        if (settings.isReadOnce()) {
            live(engine, inputs, queries, gate, isKnown);
        } else {
            tellBegin(queries, isKnown.getAsBoolean());
            replay(engine, inputs, queries, gate, isKnown.getAsBoolean());
        }
        notes().forEach(note -> LOG.info("worker {}: {}", settings.name(), note));
    }

    private void live(
            LocalEngine engine,
            List<SourceSpec> inputs,
            WorkerEngine queries,
            PacketGate gate,
            BooleanSupplier isKnown) {
        LOG.info(
                "worker {}: packets are counted as {} brings them",
                settings.name(),
                inputs.get(0).name());
        CaptureLoop opened = open(engine, inputs, queries.throttle(), gate);
        opened.runLive(firstNs -> resume(queries, firstNs, isKnown.getAsBoolean()));
    }

    private void resume(WorkerEngine queries, long firstNs, boolean isKnown) {
        try {
            queries.begin(isKnown);
            notBefore(queries, firstNs);
            queries.resume(firstNs, isKnown);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void replay(
            LocalEngine engine,
            List<SourceSpec> inputs,
            WorkerEngine queries,
            PacketGate gate,
            boolean isKnown)
            throws InterruptedException {
        OptionalLong first = CaptureLoop.firstNs(inputs);
        long firstNs = first.orElse(0);
        ReplayOptions replay = settings.replay();
        Optional<Instant> begin = begin();
        long shiftNs = begin.isPresent() && replay.shifted() ? ns(begin.get()) - firstNs : 0;
        if (first.isPresent()) {
            notBefore(queries, firstNs + shiftNs);
        }
        if (begin.isPresent()) {
            awaitBegin(begin.get());
        }
        if (first.isPresent()) {
            queries.resume(firstNs + shiftNs, isKnown);
        }
        SourceThrottle throttle = throttle(queries, firstNs + shiftNs, begin);
        open(engine, inputs, throttle, gate).run(first, shiftNs, replay.repeat());
    }

    private SourceThrottle throttle(WorkerEngine queries, long firstNs, Optional<Instant> begin) {
        double speed = settings.replay().speed();
        if (Double.isInfinite(speed)) {
            return queries.throttle();
        }
        ReplayThrottle throttle = new ReplayThrottle(speed, clock);
        throttle.begin(firstNs, beganNs(begin));
        return throttle;
    }

    private CaptureLoop open(
            LocalEngine engine, List<SourceSpec> inputs, SourceThrottle throttle, PacketGate gate) {
        SourceContext context =
                new SourceContext(
                        settings.node().source(),
                        engine.writers(),
                        engine.allocator(),
                        account,
                        throttle,
                        gate);
        CaptureLoop opened = new CaptureLoop(inputs, context, engine::poll);
        loop = opened;
        if (stopped) {
            opened.stop();
        }
        return opened;
    }

    private void awaitQueries(Attachments attachments) throws InterruptedException {
        Deadline deadline = Deadline.after(settings.replay().forQuery(), Clock.SYSTEM);
        while (attachments.standing().isEmpty() && !stopped && !deadline.isOver()) {
            Thread.sleep(1);
        }
    }

    private void tellBegin(WorkerEngine queries, boolean isKnown) throws InterruptedException {
        Optional<Instant> begin = settings.replay().begin();
        if (begin.isPresent() && !begin.get().equals(ReplayOptions.WHEN_READY)) {
            // The rest of the wait is short.
            awaitBegin(begin.get().minusMillis(WorkerEngine.BEGIN_MS));
        }
        queries.begin(isKnown);
    }

    private Optional<Instant> begin() {
        Optional<Instant> begin = settings.replay().begin();
        if (begin.equals(Optional.of(ReplayOptions.WHEN_READY))) {
            Instant now = clock.instant();
            LOG.info("worker {}: packets begin at {}", settings.name(), now);
            return Optional.of(now);
        }
        return begin;
    }

    /** A packet that is older than the first by more than LATENESS is late. */
    private void notBefore(WorkerEngine queries, long firstNs) {
        queries.notBefore(firstNs - settings.node().source().latenessNs());
    }

    private void awaitBegin(Instant begin) throws InterruptedException {
        while (clock.instant().isBefore(begin) && !stopped) {
            Thread.sleep(1);
        }
    }

    private static long ns(Instant time) {
        return time.getEpochSecond() * SECOND_NS + time.getNano();
    }

    /**
     * Returns the begin by the clock of nanoTime. A worker that is late for a common begin catches
     * up.
     */
    private long beganNs(Optional<Instant> begin) {
        Duration late =
                begin.map(time -> Duration.between(time, clock.instant())).orElse(Duration.ZERO);
        return clock.nanos() - late.toNanos();
    }

    @Override
    public List<String> notes() {
        CaptureLoop running = loop;
        return running == null ? List.of() : running.notes();
    }

    @Override
    public long packets() {
        CaptureLoop running = loop;
        return running == null ? 0 : running.packets();
    }

    @Override
    public List<SourceReport> sources() {
        List<SourceReport> reports = new ArrayList<>();
        Sources.named(settings.captures().stream().limit(MOST_SOURCES).toList())
                .forEach((name, spec) -> reports.add(SourceReports.finite(name, spec)));
        return reports;
    }

    @Override
    public List<SourceStatus> measured() {
        return List.of();
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void stop() {
        stopped = true;
        CaptureLoop running = loop;
        if (running != null) {
            running.stop();
        }
    }
}
