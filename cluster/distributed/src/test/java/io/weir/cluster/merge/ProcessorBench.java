package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.when.WhenState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A {@link StageProcessor} without Kafka: the clocks go, and the process is started anew, when the
 * test says so. What it has put into its store, and what it has forwarded, is there from then on,
 * as if each call were a transaction.
 */
final class ProcessorBench implements AutoCloseable {
    /** What the processors of a test ask others for. */
    static final class World implements MergeSources {
        private CatalogState catalog;
        private final Set<String> woken = new TreeSet<>();
        private TriggerWriter triggers = new Heard();
        private final CompiledQueries codes = new CompiledQueries(CacheConfig.DEFAULT.layouts());
        private Map<String, Long> workers;
        private Map<String, String> lives = Map.of();
        private long nowMs = 1_000_000;

        World(CatalogState catalog, Map<String, Long> workers) {
            this.catalog = catalog;
            this.workers = workers;
        }

        CompiledQueries codes() {
            return codes;
        }

        /** From now on the catalogue is this one. */
        void catalog(CatalogState now) {
            catalog = now;
        }

        /** What conditions have woken, and until when. */
        Set<String> woken() {
            return woken;
        }

        /** From now on heartbeats tell of these. */
        void workers(Map<String, Long> now) {
            workers = now;
        }

        /** And that these are their processes. */
        void lives(Map<String, String> now) {
            lives = now;
        }

        void pass(long ms) {
            nowMs += ms;
        }

        @Override
        public CatalogState catalog() {
            return catalog;
        }

        @Override
        public Map<String, Long> workers() {
            return workers;
        }

        @Override
        public String life(String worker) {
            return lives.getOrDefault(worker, "");
        }

        @Override
        public long heardForNs() {
            return nowMs * 1_000_000;
        }

        /** From now on triggers are written to this one. */
        void triggers(TriggerWriter now) {
            triggers = now;
        }

        @Override
        public TriggerWriter triggers() {
            return triggers;
        }

        /** All are there at once. */
        private final class Heard implements TriggerWriter {
            @Override
            public void write(
                    String query, long version, WhenState.Change change, Runnable written) {
                String to = change.begins() ? " to " : ", now to ";
                woken.add(query + " from " + change.fromNs() + to + change.untilNs());
                written.run();
            }

            /** Nothing waits: no slice of a test settles. */
            @Override
            public void settled(long settledNs) {}
        }
    }

    private final World world;
    private final MergeStage.Options options;
    private final int partition;
    private final int shards;
    private final boolean second;
    private final Consumer<byte[]> onward;
    private final Consumer<Record<byte[], byte[]>> rows;
    private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("kept").get();
    private Consumer<byte[]> before = message -> {};
    private StageProcessor processor;
    private MockProcessorContext<byte[], byte[]> context;

    /**
     * @param partition of the first step; {@code second} stands behind all
     * @param onward where windows go on to
     */
    ProcessorBench(
            World world,
            MergeStage.Options options,
            int partition,
            int shards,
            boolean second,
            Consumer<byte[]> onward,
            Consumer<Record<byte[], byte[]>> rows) {
        this.world = world;
        this.options = options;
        this.partition = partition;
        this.shards = shards;
        this.second = second;
        this.onward = onward;
        this.rows = rows;
        store.init(null, null);
        start();
    }

    private void start() {
        MergeSettings settings =
                new MergeSettings(
                        "test",
                        CacheConfig.DEFAULT.layouts(),
                        options,
                        (shards + 1L) << 26,
                        0,
                        Path.of("."));
        processor =
                new StageProcessor(
                        settings, world, world.codes(), "kept", second, shards, new MergeMetrics());
        context = context();
        context.addStateStore(store);
        context.setCurrentSystemTimeMs(world.nowMs);
        processor.init(context);
        forwarded();
    }

    private MockProcessorContext<byte[], byte[]> context() {
        Properties none = new Properties();
        none.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        none.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nobody:1");
        return new MockProcessorContext<>(none, new TaskId(second ? 1 : 0, partition), null);
    }

    void process(byte[] message) {
        before.accept(message);
        context.setCurrentSystemTimeMs(world.nowMs);
        processor.process(new Record<>(new byte[0], message, world.nowMs));
        forwarded();
    }

    void tick() {
        context.setCurrentSystemTimeMs(world.nowMs);
        context.scheduledPunctuators().get(0).getPunctuator().punctuate(world.nowMs);
        forwarded();
    }

    private void forwarded() {
        var all = context.forwarded();
        context.resetForwards();
        for (var to : all) {
            var record = to.record();
            byte[] value = record.value();
            if (to.childName().orElseThrow().equals(StageProcessor.ONWARD)) {
                onward.accept(value);
            } else {
                rows.accept(
                        new Record<>(record.key(), value, record.timestamp(), record.headers()));
            }
        }
    }

    /** To be told of each message before it is taken in. */
    void before(Consumer<byte[]> listener) {
        before = listener;
    }

    /**
     * Takes a message in, and nothing that comes of it is committed: its rows never were. What it
     * has told others by then, they may have heard.
     */
    void abort(byte[] message) {
        Map<Bytes, byte[]> committed = kept();
        context.setCurrentSystemTimeMs(world.nowMs);
        processor.process(new Record<>(new byte[0], message, world.nowMs));
        context.resetForwards();
        kept().keySet().forEach(store::delete);
        committed.forEach(store::put);
    }

    private Map<Bytes, byte[]> kept() {
        Map<Bytes, byte[]> kept = new LinkedHashMap<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> kept.put(entry.key, entry.value));
        }
        return kept;
    }

    /** Since it was started. */
    MergeCounts counts() {
        return processor.counts();
    }

    /** What is kept. */
    KeyValueStore<Bytes, byte[]> store() {
        return store;
    }

    /** Another process has its place. */
    void restart() {
        processor.close();
        start();
    }

    @Override
    public void close() {
        processor.close();
        store.close();
    }
}
