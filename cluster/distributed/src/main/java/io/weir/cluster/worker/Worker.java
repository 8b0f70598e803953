package io.weir.cluster.worker;

import io.weir.cluster.counts.CountingGate;
import io.weir.cluster.counts.SliceGate;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogCopy;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.WorkerCatalog;
import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.cluster.merge.MergeMessageEntries;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker of a cluster: counts its packets for the queries of the catalogue, and sends their rows.
 * Packets never wait for Kafka. The thread that reads packets calls {@link #run} once; any thread
 * calls {@link #stop}.
 *
 * <pre>
 *   captures → engine → outboxes (disk) → senders → weir.results.*, weir.partials
 *                ↑ attach, replace, drop
 *            catalogue                    heartbeats → weir.heartbeats
 * </pre>
 */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final long LAST_ROWS_MS = 30_000;

    /** The most sentences about the input in a heartbeat. */
    private static final int MOST_NOTES = 20;

    /** Some heartbeats: others know a worker whose last heartbeat Kafka took so long ago. */
    private static final long KNOWN_MS = 3_000;

    private final WorkerSettings settings;
    private final KafkaSettings kafka;
    private final WorkerListener listener;
    private final OutputSink beside;
    private final String life = UUID.randomUUID().toString();
    private final Account account = new Account();
    private final LastWakes lastWakes = new LastWakes();
    private final WorkerMeter meter;
    private final CaptureReplay replay;
    private final AtomicReference<WeirException> failure = new AtomicReference<>();
    private volatile boolean abandoned;

    /** True once the queries of the catalogue are known. */
    private volatile boolean knows;

    /** When it was asked to stop; 0: it was not. */
    private final AtomicLong stopAtMs = new AtomicLong();

    /** True once it has state that an orderly end saves. */
    private volatile boolean begun;

    /** Owned by the running thread; null before it counts. */
    private Heartbeats beats;

    public Worker(WorkerSettings settings, KafkaSettings kafka, WorkerListener listener) {
        this(settings, kafka, listener, new Fanout(List.of()));
    }

    /**
     * @param beside also gets the rows that this worker finishes; the caller keeps it, and it must
     *     not fail
     */
    public Worker(
            WorkerSettings settings,
            KafkaSettings kafka,
            WorkerListener listener,
            OutputSink beside) {
        this.beside = beside;
        this.settings = settings;
        this.kafka = kafka;
        this.listener = listener;
        this.meter = new WorkerMeter(settings.name(), account);
        this.replay = new CaptureReplay(settings, account);
    }

    /** Returns the meter of the running worker: its account, and its parts. */
    public Meter meter() {
        return meter;
    }

    /** Returns the account; any thread, while it runs. */
    public Account account() {
        return account;
    }

    /**
     * Runs to the end of the captures or until {@link #stop}, and sends the rest.
     *
     * @return the account of the run
     */
    public List<Stage.Snapshot> run() {
        Sources.checkWorker(settings.captures());
        Rehearsal.Part rehearsal = Rehearsal.begin(settings.node().layouts());
        try (WorkerCatalog catalog = catalog()) {
            catalog.awaitFirst(isLive(), replay::isStopped);
            if (!replay.isStopped()) {
                run(catalog);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            rehearsal.close();
            meter.ended();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        return account.snapshot();
    }

    /**
     * A slice may have moved without this process's knowledge, so it begins with Kafka's catalogue.
     */
    private WorkerCatalog catalog() {
        Optional<CatalogCopy> copy =
                settings.slice().isPresent()
                        ? Optional.empty()
                        : Optional.of(new CatalogCopy(settings.outbox()));
        return new WorkerCatalog(kafka, settings.name(), copy, this::fail).start();
    }

    /** Returns whether packets pass even if nobody counts them. */
    private boolean isLive() {
        return settings.slice().isEmpty() && settings.captures().get(0).isReadOnce();
    }

    private void run(WorkerCatalog catalog) throws InterruptedException {
        try (Outboxes outboxes = new Outboxes(settings, kafka, life, account, this::fail)) {
            begun = true;
            meter.sends(outboxes);
            runAndTell(catalog, outboxes);
        }
    }

    /** Heartbeats go on until all is sent, and then report the end. */
    private void runAndTell(WorkerCatalog catalog, Outboxes outboxes) throws InterruptedException {
        try {
            count(catalog, outboxes);
            if (failure.get() == null
                    && !abandoned
                    && !outboxes.awaitSent(LAST_ROWS_MS, this::hasTime)) {
                LOG.warn(
                        "worker {}: Kafka has not taken all rows: the rest is kept in {}",
                        settings.name(),
                        settings.outbox());
            }
            if (failure.get() == null && beats != null) {
                beats.endsInOrder();
            }
        } finally {
            if (beats != null) {
                beats.close();
            }
        }
    }

    /** A caller that stops it must not wait long for Kafka. */
    private boolean hasTime() {
        long since = stopAtMs.get();
        return since == 0 || Clock.SYSTEM.millis() - since < LAST_ROWS_MS;
    }

    private void count(WorkerCatalog catalog, Outboxes outboxes) throws InterruptedException {
        long latenessNs = settings.node().lateness().toNanos();
        if (settings.slice().isEmpty()) {
            CountingGate gate = new CountingGate(outboxes.ledger(), latenessNs);
            boolean isKnown = catalog.isKnown();
            PacketGate first = isKnown ? gate : new AwaitedCatalog(gate, () -> knows);
            count(catalog, outboxes, first, gate);
            return;
        }
        OptionalLong foundNs = outboxes.awaitPlace(replay::isStopped);
        if (foundNs.isEmpty()) {
            return;
        }
        WorkerSettings.Slice slice = settings.slice().get();
        listener.took(slice.number(), foundNs.getAsLong());
        if (foundNs.getAsLong() != Long.MAX_VALUE) { // otherwise it was counted to its end
            SliceGate gate =
                    new SliceGate(
                            slice.number(),
                            slice.replay().count(),
                            foundNs.getAsLong(),
                            latenessNs);
            count(catalog, outboxes, gate, gate);
        }
    }

    private void count(
            WorkerCatalog catalog, Outboxes outboxes, PacketGate gate, PacketCounts counts)
            throws InterruptedException {
        try (LocalEngine engine = new LocalEngine(settings.engine(), account, Optional.of(counts));
                TriggerPublisher triggers = triggers()) {
            PartialSender partials = partials(engine, outboxes.partials(), counts);
            Optional<SettledThrottle> settled = settled(engine);
            RemoteWakes wakes =
                    new RemoteWakes(
                            engine,
                            partials,
                            timeNs -> settled.ifPresent(pace -> pace.settled(timeNs)));
            WorkerEngine queries =
                    new WorkerEngine(
                            settings,
                            engine,
                            outboxes,
                            kafka.rows(),
                            beside,
                            wakes,
                            partials,
                            settled);
            outboxes.told().counted(counts);
            engine.addPassListener(outboxes.told()::passed); // before the turn's last entry
            ConditionWatches watches = watches(engine, outboxes, triggers);
            engine.addPassListener(outboxes::rowsPassed); // once the outbox has the turn's
            meter.counts(engine, queries);
            Attachments attachments = new Attachments(settings, queries, watches);
            engine.addListener(new WakeReports(attachments, outboxes, listener, lastWakes));
            try (TriggerFollower follower =
                    new TriggerFollower(kafka, settings.name(), wakes, this::fail)) {
                follower.start();
                Reading reading =
                        new Reading(engine, attachments, queries, outboxes, triggers, gate);
                count(catalog, reading);
            }
        }
    }

    private TriggerPublisher triggers() {
        String name = settings.triggersName();
        return new TriggerPublisher(
                kafka,
                new SenderPlace(kafka, name, "weir-worker-" + name, life),
                settings.name(),
                account.stage("triggers"),
                this::fail);
    }

    private ConditionWatches watches(
            LocalEngine engine, Outboxes outboxes, TriggerPublisher triggers) {
        return new ConditionWatches(
                engine,
                settings.name(),
                outboxes.made(),
                outboxes.conditions(),
                message -> triggers.publish(message, () -> {}));
    }

    private Optional<SettledThrottle> settled(LocalEngine engine) {
        return settings.settles()
                ? Optional.of(
                        new SettledThrottle(engine, settings.engine().delayNs(), replay::isStopped))
                : Optional.empty();
    }

    private PartialSender partials(LocalEngine engine, Outbox outbox, PacketCounts counts) {
        PartialSender.Out out = MergeMessageEntries.into(outbox, kafka.shards());
        PartialSender partials =
                new PartialSender(
                        new WorkerEpoch(settings.name(), life),
                        kafka.shards(),
                        PartialWriter.DEFAULT_BLOCK_BYTES,
                        (shard, message) -> {
                            // The last windows of a slice that moves are cut off.
                            if (!abandoned) {
                                out.send(shard, message);
                            }
                        },
                        Optional.of(counts),
                        engine::packets);
        engine.addPassListener(partials::passed);
        return partials;
    }

    /** The parts that the reader's thread needs. */
    private record Reading(
            LocalEngine engine,
            Attachments attachments,
            WorkerEngine queries,
            Outboxes outboxes,
            TriggerPublisher triggers,
            PacketGate gate) {}

    private void count(WorkerCatalog catalog, Reading reading) throws InterruptedException {
        boolean isJoined = catalog.isJoined();
        CatalogState first = catalog.state();
        Attachments attachments = reading.attachments();
        attachments.follow(first); // complete, before the first packet
        knows = catalog.isKnown();
        reading.engine().start();
        Supplier<Heartbeat.Builder> beat = () -> beat(attachments, reading.outboxes());
        beats = new Heartbeats(kafka, settings.name(), beat).start();
        meter.follows(attachments, beats);
        boolean isKnown = isJoined && beats.awaitTaken(WorkerEngine.BEGIN_MS);
        if (isKnown) { // while Kafka is away nobody reports
            var unused = reading.triggers().awaitPlace(WorkerEngine.BEGIN_MS);
        }
        try (CatalogFollower following =
                new CatalogFollower(
                        settings.name(),
                        catalog,
                        first,
                        reading.outboxes().rows(),
                        attachments,
                        following())) {
            listener.ready(attachments.standing().size());
            following.start();
            replay.run(
                    reading.engine(),
                    attachments,
                    reading.queries(),
                    reading.gate(),
                    () -> isKnown || beats.isTakenWithin(KNOWN_MS));
        }
        reading.engine().awaitEnd();
    }

    /** Somebody has taken the worker out of the cluster: it ends in order. */
    private boolean isRetired(CatalogState state) {
        boolean is = state.isRetired(settings.name(), life);
        if (is) {
            LOG.info("worker {}: is retired: it ends", settings.name());
            stop();
        }
        return is;
    }

    private CatalogFollower.Listener following() {
        return new CatalogFollower.Listener() {
            @Override
            public boolean retired(CatalogState state) {
                return isRetired(state);
            }

            @Override
            public void follows() {
                knows = true;
            }

            @Override
            public void failed(WeirException cause) {
                fail(cause);
            }
        };
    }

    private Heartbeat.Builder beat(Attachments attachments, Outboxes outboxes) {
        Heartbeat.Builder beat =
                Heartbeat.newBuilder()
                        .setLife(life)
                        .addAllNode(settings.nodes())
                        .setCatalogOffset(attachments.offset())
                        .setPackets(replay.packets());
        replay.notes().stream().limit(MOST_NOTES).forEach(beat::addInputNote);
        outboxes.tell(beat);
        WorkerMeter.stages(account).forEach(beat::addStage);
        settings.slice().ifPresent(slice -> beat.setOwner(slice.owner()));
        Map<String, StageCounts> counts = WorkerMeter.queries(account);
        for (Attachments.Standing standing : attachments.standing()) {
            QueryState.Builder state =
                    QueryState.newBuilder()
                            .setName(standing.name())
                            .setVersion(standing.version())
                            .setState(standing.state())
                            .setAbout(standing.about());
            Optional.ofNullable(counts.get(standing.name())).ifPresent(state::setCounts);
            lastWakes.of(standing.name()).ifPresent(state::setWakes);
            beat.addQuery(state);
        }
        return beat;
    }

    /**
     * Ends {@link #run} soon, and sends nothing more. Another process continues its slice from the
     * sent position. Idempotent.
     */
    void abandon() {
        abandoned = true;
        stop();
    }

    private void fail(WeirException cause) {
        failure.compareAndSet(null, cause);
        stop();
    }

    /** Ends {@link #run} soon, as if the captures ended there. Idempotent. */
    public void stop() {
        stopAtMs.compareAndSet(0, Clock.SYSTEM.millis());
        replay.stop();
    }

    /** Returns whether it counts. Until then {@link #stop} has nothing to save. */
    public boolean hasBegun() {
        return begun;
    }
}
