package io.weir.cluster.worker;

import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.node.QueryRates;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.QueryWork;
import io.weir.cluster.wire.StageCounts;
import io.weir.operators.node.LocalEngine;
import java.util.Map;
import java.util.Optional;

/** Makes the heartbeats of a worker. The heartbeats' thread. */
final class WorkerBeats {
    /** The most sentences about the input in a heartbeat. */
    private static final int MOST_NOTES = 20;

    private final WorkerContext worker;
    private final Attachments attachments;
    private final Outboxes outboxes;
    private final LocalEngine engine;
    private final QueryRates rates = new QueryRates();

    WorkerBeats(
            WorkerContext worker, Attachments attachments, Outboxes outboxes, LocalEngine engine) {
        this.engine = engine;
        this.worker = worker;
        this.attachments = attachments;
        this.outboxes = outboxes;
    }

    /** Sends them from now on. */
    Heartbeats start() {
        return new Heartbeats(worker.kafka(), worker.name(), this::beat).start();
    }

    private Heartbeat.Builder beat() {
        WorkerSettings settings = worker.settings();
        Heartbeat.Builder beat =
                Heartbeat.newBuilder()
                        .setLife(worker.life())
                        .addAllNode(settings.nodes())
                        .setCatalogOffset(attachments.offset())
                        .setPackets(worker.reading().packets());
        worker.reading().notes().stream().limit(MOST_NOTES).forEach(beat::addInputNote);
        beat.addAllSource(worker.reading().sources());
        outboxes.tell(beat);
        WorkerMeter.stages(worker.account()).forEach(beat::addStage);
        settings.slice().ifPresent(slice -> beat.setOwner(slice.owner()));
        addQueries(beat);
        return beat;
    }

    private void addQueries(Heartbeat.Builder beat) {
        Map<String, QueryWork> work =
                QueryWorkWriter.of(rates.of(engine.costs(), worker.account().snapshot()));
        Map<String, StageCounts> counts = WorkerMeter.queries(worker.account());
        for (Attachments.Standing standing : attachments.standing()) {
            QueryState.Builder state =
                    QueryState.newBuilder()
                            .setName(standing.name())
                            .setVersion(standing.version())
                            .setState(standing.state())
                            .setAbout(standing.about());
            Optional.ofNullable(counts.get(standing.name())).ifPresent(state::setCounts);
            Optional.ofNullable(work.get(standing.name())).ifPresent(state::setWork);
            worker.lastWakes().of(standing.name()).ifPresent(state::setWakes);
            beat.addQuery(state);
        }
    }
}
