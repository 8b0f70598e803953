package io.weir.cluster.worker;

import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.cluster.merge.MergeMessageEntries;
import io.weir.cluster.protocol.MessageOutput;
import io.weir.cluster.protocol.PacketCounts;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.operators.node.LocalEngine;
import java.util.Optional;

/**
 * The parts around a worker's engine, wired in order. The listeners of the engine run in that
 * order, too. First windows leave. Then the counts of packets are kept. The entry that ends the
 * turn comes last.
 */
record WorkerParts(
        LocalEngine engine,
        Outboxes outboxes,
        TriggerPublisher triggers,
        RemoteWakes wakes,
        WorkerEngine queries,
        Attachments attachments) {

    static WorkerParts of(
            WorkerContext worker,
            LocalEngine engine,
            Outboxes outboxes,
            TriggerPublisher triggers,
            PacketCounts counts) {
        PartialSender partials = partials(worker, engine, outboxes, counts);
        Optional<SettledThrottle> settled = settled(worker, engine);
        RemoteWakes wakes =
                new RemoteWakes(
                        engine,
                        partials,
                        timeNs -> settled.ifPresent(throttle -> throttle.settled(timeNs)));
        WorkerEngine queries =
                new WorkerEngine(
                        worker.settings(),
                        engine,
                        outboxes,
                        worker.kafka().rows(),
                        worker.beside(),
                        wakes,
                        partials,
                        settled);
        outboxes.told().counted(counts);
        engine.addPassListener(outboxes.told()::passed);
        ConditionWatches watches = watches(worker, engine, outboxes, triggers);
        engine.addPassListener(outboxes::rowsPassed);
        worker.meter().counts(engine, queries);
        Attachments attachments = new Attachments(worker.settings(), queries, watches);
        engine.addListener(
                new WakeReports(attachments, outboxes, worker.listener(), worker.lastWakes()));
        return new WorkerParts(engine, outboxes, triggers, wakes, queries, attachments);
    }

    static TriggerPublisher triggers(WorkerContext worker) {
        String place = worker.settings().triggersName();
        return new TriggerPublisher(
                worker.kafka(),
                new SenderPlace(worker.kafka(), place, "weir-worker-" + place, worker.life()),
                worker.name(),
                worker.account().stage("triggers"),
                worker.end()::fail);
    }

    /** Makes the follower of the wakes that others publish. */
    static TriggerFollower follower(WorkerContext worker, WorkerParts parts) {
        return new TriggerFollower(
                worker.kafka(), worker.name(), parts.wakes(), worker.end()::fail);
    }

    private static PartialSender partials(
            WorkerContext worker, LocalEngine engine, Outboxes outboxes, PacketCounts counts) {
        MessageOutput out = MergeMessageEntries.into(outboxes.partials(), worker.kafka().shards());
        PartialSender partials =
                new PartialSender(
                        new WorkerEpoch(worker.name(), worker.life()),
                        worker.kafka().shards(),
                        PartialWriter.DEFAULT_BLOCK_BYTES,
                        (shard, message) -> {
                            // The last windows of a slice that moves are cut off.
                            if (!worker.end().isAbandoned()) {
                                out.send(shard, message);
                            }
                        },
                        Optional.of(counts),
                        engine::packets);
        engine.addPassListener(partials::passed);
        return partials;
    }

    private static Optional<SettledThrottle> settled(WorkerContext worker, LocalEngine engine) {
        WorkerSettings settings = worker.settings();
        return settings.settles()
                ? Optional.of(
                        new SettledThrottle(
                                engine, settings.engine().delayNs(), worker.reading()::isStopped))
                : Optional.empty();
    }

    private static ConditionWatches watches(
            WorkerContext worker,
            LocalEngine engine,
            Outboxes outboxes,
            TriggerPublisher triggers) {
        return new ConditionWatches(
                engine,
                worker.kafka().clock(),
                worker.name(),
                outboxes.made(),
                outboxes.conditions(),
                message -> triggers.publish(message, () -> {}));
    }
}
