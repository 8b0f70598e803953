package io.weir.cluster.worker;

import io.weir.cluster.counts.CountingGate;
import io.weir.cluster.counts.SliceGate;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.WorkerCatalog;
import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.node.EngineSources;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.ingest.source.PacketGate;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.WeirException;
import io.weir.operators.node.LocalEngine;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a worker, from its first packet until its rows are sent. It has these steps: choose
 * which packets it counts, make the engine and its parts, follow the catalogue, read the packets,
 * send the rest. The thread that reads packets.
 */
final class WorkerRun {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerRun.class);
    private static final long LAST_ROWS_MS = 30_000;

    /** Some heartbeats: others know a worker whose last heartbeat Kafka took so long ago. */
    private static final long KNOWN_MS = 3_000;

    private final WorkerContext worker;
    private final WorkerSettings settings;
    private final WorkerCatalog catalog;
    private final Outboxes outboxes;

    /** True once the queries of the catalogue are known. */
    private volatile boolean knows;

    /** Null before it counts. */
    private Heartbeats beats;

    WorkerRun(WorkerContext worker, WorkerCatalog catalog, Outboxes outboxes) {
        this.worker = worker;
        this.settings = worker.settings();
        this.catalog = catalog;
        this.outboxes = outboxes;
    }

    /** Heartbeats go on until all is sent, and then report the end. */
    void run() throws InterruptedException {
        try {
            count();
            if (isWhole() && !worker.end().isAbandoned() && !isSent()) {
                LOG.warn(
                        "worker {}: Kafka has not taken all rows: the rest is kept in {}",
                        worker.name(),
                        settings.outbox());
            }
            if (isWhole() && beats != null) {
                beats.endsInOrder();
            }
        } finally {
            if (beats != null) {
                beats.close();
            }
        }
    }

    private boolean isWhole() {
        return worker.end().failure().isEmpty();
    }

    private boolean isSent() throws InterruptedException {
        return outboxes.awaitSent(LAST_ROWS_MS, () -> worker.end().hasTime(LAST_ROWS_MS));
    }

    private void count() throws InterruptedException {
        if (settings.slice().isPresent()) {
            countSlice(settings.slice().get());
            return;
        }
        if (worker.reading() instanceof LiveReading live) {
            countLive(live);
        } else {
            CountingGate gate = new CountingGate(outboxes.ledger(), latenessNs());
            countCaptures(awaited(gate), gate);
        }
    }

    /** Packets are not counted before the queries are known. */
    private PacketGate awaited(PacketGate gate) {
        return catalog.isKnown() ? gate : new AwaitedCatalog(gate, () -> knows);
    }

    private void countLive(LiveReading live) throws InterruptedException {
        EngineSources sources =
                new EngineSources(
                        settings.node(),
                        Sources.named(settings.captures()),
                        () -> CountingGate.shared(outboxes.ledger(), latenessNs()));
        count(
                sources,
                (parts, isKnown) ->
                        live.run(parts, sources, this::awaited, isKnown, catalog::state));
    }

    private void countCaptures(PacketGate gate, PacketCounts counts) throws InterruptedException {
        CaptureReplay replay = (CaptureReplay) worker.reading();
        count(
                counts,
                (parts, isKnown) ->
                        replay.run(
                                parts.engine(),
                                parts.attachments(),
                                parts.queries(),
                                gate,
                                isKnown));
    }

    private void countSlice(WorkerSettings.Slice slice) throws InterruptedException {
        OptionalLong foundNs = outboxes.awaitPlace(worker.reading()::isStopped);
        if (foundNs.isEmpty()) {
            return;
        }
        long fromNs = foundNs.getAsLong();
        worker.listener().took(slice.number(), fromNs);
        if (fromNs != Long.MAX_VALUE) { // otherwise it was counted to its end
            int slices = slice.replay().count();
            SliceGate gate = new SliceGate(slice.number(), slices, fromNs, latenessNs());
            countCaptures(gate, gate);
        }
    }

    private long latenessNs() {
        return settings.node().lateness().toNanos();
    }

    /** Reads all packets. */
    private interface Reading {
        /**
         * @param isKnown whether others know of this worker now
         */
        void run(WorkerParts parts, BooleanSupplier isKnown) throws InterruptedException;
    }

    private void count(PacketCounts counts, Reading reading) throws InterruptedException {
        try (LocalEngine engine =
                        new LocalEngine(settings.engine(), worker.account(), Optional.of(counts));
                TriggerPublisher triggers = WorkerParts.triggers(worker)) {
            WorkerParts parts = WorkerParts.of(worker, engine, outboxes, triggers, counts);
            try (TriggerFollower follower = WorkerParts.follower(worker, parts)) {
                follower.start();
                read(parts, reading);
            } finally {
                parts.queries().tables().close();
            }
        }
    }

    private void read(WorkerParts parts, Reading reading) throws InterruptedException {
        boolean isJoined = catalog.isJoined();
        CatalogState first = catalog.state();
        Attachments attachments = parts.attachments();
        attachments.follow(first); // complete, before the first packet
        knows = catalog.isKnown();
        parts.engine().start();
        beats = new WorkerBeats(worker, attachments, outboxes, parts.engine()).start();
        worker.meter().follows(attachments, beats);
        boolean isKnown = isJoined && beats.awaitTaken(WorkerEngine.BEGIN_MS);
        if (isKnown) { // while Kafka is away nobody reports
            var unused = parts.triggers().awaitPlace(WorkerEngine.BEGIN_MS);
        }
        try (CatalogFollower following = follower(first, attachments)) {
            worker.listener().ready(attachments.standing().size());
            following.start();
            reading.run(parts, () -> isKnown || beats.isTakenWithin(KNOWN_MS));
        }
        parts.engine().awaitEnd();
    }

    private CatalogFollower follower(CatalogState first, Attachments attachments) {
        return new CatalogFollower(
                worker.name(), catalog, first, outboxes.rows(), attachments, new Following());
    }

    private final class Following implements CatalogFollower.Listener {
        /** Somebody has taken the worker out of the cluster: it ends in order. */
        @Override
        public boolean retired(CatalogState state) {
            boolean is = state.isRetired(worker.name(), worker.life());
            if (is) {
                LOG.info("worker {}: is retired: it ends", worker.name());
                worker.end().stop();
            }
            return is;
        }

        @Override
        public void follows() {
            knows = true;
        }

        @Override
        public void failed(WeirException cause) {
            worker.end().fail(cause);
        }
    }
}
