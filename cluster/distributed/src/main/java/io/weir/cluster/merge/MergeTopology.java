package io.weir.cluster.merge;

import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.results.ResultHeaders;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The topology of the merge. It is the same for all queries.
 *
 * <pre>
 *   weir.partials ──► merge (a task a shard) ──► weir.results.*
 *                          │
 *                          └──► weir.windows ──► after (one task) ──► weir.results.*
 *                                                    └──► weir.triggers, by a producer of its own
 * </pre>
 */
final class MergeTopology {
    private static final String MERGE = "merge";
    private static final String AFTER = "after";

    private MergeTopology() {}

    /**
     * @param shards of the cluster
     */
    static Topology of(
            MergeSettings settings, MergeSources sources, MergeMetrics metrics, int shards) {
        CompiledQueries codes = new CompiledQueries(settings.layouts());
        ByteArrayDeserializer in = new ByteArrayDeserializer();
        ByteArraySerializer out = new ByteArraySerializer();
        return new Topology()
                .addSource("partials", in, in, Topics.PARTIALS)
                .addProcessor(
                        MERGE,
                        () ->
                                new StageProcessor(
                                        settings, sources, codes, MERGE, false, shards, metrics),
                        "partials")
                .addStateStore(store(MERGE), MERGE)
                .addSink(StageProcessor.ONWARD, Topics.WINDOWS, out, out, MERGE)
                .addSink(
                        StageProcessor.RESULTS,
                        (key, value, record) ->
                                Topics.results(
                                        ResultHeaders.text(record.headers(), ResultHeaders.QUERY)),
                        out,
                        out,
                        MERGE)
                .addSource("windows", in, in, Topics.WINDOWS)
                .addProcessor(
                        AFTER,
                        () ->
                                new StageProcessor(
                                        settings, sources, codes, AFTER, true, shards, metrics),
                        "windows")
                .addStateStore(store(AFTER), AFTER)
                .addSink(
                        StageProcessor.AFTER_RESULTS,
                        (key, value, record) ->
                                Topics.results(
                                        ResultHeaders.text(record.headers(), ResultHeaders.QUERY)),
                        out,
                        out,
                        AFTER);
    }

    /**
     * The store is cached, so a window that comes and goes between two commits is never written.
     */
    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of())
                .withCachingEnabled();
    }
}
