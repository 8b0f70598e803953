package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MessageOutput;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.LocalEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All that one life of a worker has to send of a capture, to be sent when a test wants it. */
final class SentMessages {
    private record Addressed(int shard, MergeMessage message) {}

    private final List<Addressed> all = new ArrayList<>();
    private int next;

    SentMessages(CatalogState catalog, String worker, String life, Path capture) {
        try (LocalEngine engine = new LocalEngine(ClusterRun.OPTIONS, new Account())) {
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch(worker, life),
                            KafkaSettings.SHARDS,
                            PartialWriter.DEFAULT_BLOCK_BYTES,
                            (shard, message) -> all.add(new Addressed(shard, message)));
            for (Definition definition : catalog.definitions().values()) {
                var code =
                        KernelCompiler.compile(definition.query(), CacheConfig.DEFAULT.layouts());
                engine.add(code, sender.exporter(code, definition.version()), false);
            }
            engine.addPassListener(sender::passed);
            engine.start();
            Reading.all(engine, capture, worker);
        }
    }

    /** What is left of it, up to the turn with which that time has passed, into the outbox. */
    void put(Outbox outbox, long passedNs) {
        MessageOutput out = MergeMessageEntries.into(outbox, KafkaSettings.SHARDS);
        boolean passed = false;
        while (next < all.size() && !passed) {
            Addressed one = all.get(next++);
            out.send(one.shard(), one.message());
            passed =
                    one.shard() == KafkaSettings.SHARDS - 1
                            && one.message() instanceof MergeMessage.Passed to
                            && to.watermarkNs() >= passedNs;
        }
    }

    /** All of them as they are on the wire, for a shard. */
    List<byte[]> bytes(int shard) {
        return all.stream()
                .filter(one -> one.shard() == shard)
                .map(one -> MergeMessageCodec.bytes(one.message()))
                .toList();
    }
}
