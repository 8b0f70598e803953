package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.trigger.Triggers;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.merge.MergeCounts;
import io.weir.operators.merge.MergeStage;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
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
        private final CompiledQueries codes = new CompiledQueries(CacheConfig.DEFAULT.layouts());
        private Map<String, Long> workers;
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
        public long heardForNs() {
            return nowMs * 1_000_000;
        }

        @Override
        public Triggers triggers() {
            return new Triggers() {
                @Override
                public void wake(String query, long version, long fromNs, long untilNs) {
                    woken.add(query + " from " + fromNs + " to " + untilNs);
                }

                @Override
                public void until(String query, long version, long fromNs, long untilNs) {
                    woken.add(query + " from " + fromNs + ", now to " + untilNs);
                }

                @Override
                public void settled(String query, long version, long settledNs) {}
            };
        }

        @Override
        public void ensureResults(String query) {}
    }

    private final World world;
    private final MergeStage.Options options;
    private final int partition;
    private final int shards;
    private final boolean second;
    private final Consumer<byte[]> onward;
    private final Consumer<Record<byte[], byte[]>> rows;
    private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("kept").get();
    private StageProcessor processor;
    private Punctuator tick;

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
        processor.init(context());
    }

    /** Bounds that are arrays cannot be written. */
    @SuppressWarnings("unchecked")
    private ProcessorContext<byte[], byte[]> context() {
        ProcessorContext<?, ?> context = new Context();
        return (ProcessorContext<byte[], byte[]>) context;
    }

    void process(byte[] parcel) {
        processor.process(new Record<>(new byte[0], parcel, world.nowMs));
    }

    void tick() {
        tick.punctuate(world.nowMs);
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

    private final class Context implements ProcessorContext<Object, Object> {
        @Override
        public <K, V> void forward(Record<K, V> record) {
            throw new UnsupportedOperationException("to nobody");
        }

        @Override
        public <K, V> void forward(Record<K, V> record, String child) {
            byte[] key = (byte[]) record.key();
            byte[] value = (byte[]) record.value();
            if (child.equals(MergeTopology.ONWARD)) {
                onward.accept(value);
            } else {
                rows.accept(new Record<>(key, value, record.timestamp(), record.headers()));
            }
        }

        @Override
        public TaskId taskId() {
            return new TaskId(second ? 1 : 0, partition);
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Kafka has it
        public <S extends StateStore> S getStateStore(String name) {
            return (S) store;
        }

        @Override
        public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
            tick = callback;
            return () -> {};
        }

        @Override
        public long currentSystemTimeMs() {
            return world.nowMs;
        }

        @Override
        public Cancellable schedule(
                Instant first, Duration interval, PunctuationType type, Punctuator callback) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String applicationId() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Serde<?> keySerde() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Serde<?> valueSerde() {
            throw new UnsupportedOperationException();
        }

        @Override
        public File stateDir() {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamsMetrics metrics() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void commit() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, Object> appConfigs() {
            return new HashMap<>();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long currentStreamTimeMs() {
            throw new UnsupportedOperationException();
        }
    }
}
