package io.weir.cluster.merge;

import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.rows.RowSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Runs a {@link MergeStage} as a processor of Kafka Streams: the first step for one shard, or the
 * second for all. Its output, its store and its read position are one transaction. A record that it
 * cannot read is counted, and the others go on. The stream's thread.
 */
final class StageProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    /** The names of its outputs: messages for the second step, and the rows of each step. */
    static final String ONWARD = "onward";

    static final String RESULTS = "results";
    static final String AFTER_RESULTS = "after-results";

    private static final Duration TICK = Duration.ofMillis(50);
    private static final int MOST_IN_VAIN = 1024;

    private final MergeSettings settings;
    private final MergeSources sources;
    private final CompiledQueries codes;
    private final String store;
    private final boolean second;
    private final int shards;
    private final MergeMetrics metrics;
    private final Map<String, MergedTrigger> wakers = new LinkedHashMap<>();
    private final Set<ActivationId> inVain =
            Collections.newSetFromMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(
                                Map.Entry<ActivationId, Boolean> eldest) {
                            return size() > MOST_IN_VAIN;
                        }
                    });

    private ProcessorContext<byte[], byte[]> context;
    private KeyValueStore<Bytes, byte[]> kept;
    private NativeAllocator allocator;
    private MergeStage stage;
    private PartialSender onward;
    private ReadingClock clock;
    private AwaitedSources awaited;
    private HeldMessages held;
    private TaskProgress progress;
    private StageQueries queries;
    private String name;
    private long expectedAtMs;
    private CatalogState followed;
    private long settledNs = Long.MIN_VALUE;
    private TriggerWriter triggers;

    /**
     * @param shards of the first step
     */
    StageProcessor(
            MergeSettings settings,
            MergeSources sources,
            CompiledQueries codes,
            String store,
            boolean second,
            int shards,
            MergeMetrics metrics) {
        this.settings = settings;
        this.sources = sources;
        this.codes = codes;
        this.store = store;
        this.second = second;
        this.shards = shards;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> processorContext) {
        context = processorContext;
        clock = new ReadingClock(sources::heardForNs);
        kept = context.getStateStore(store);
        allocator = new NativeAllocator(settings.memoryBytes() / (shards + 1));
        stage =
                second
                        ? MergeStage.second(allocator, settings.stage())
                        : MergeStage.first(allocator, settings.stage());
        int partition = context.taskId().partition();
        name = second ? "second" : "shard-" + partition;
        onward =
                new PartialSender(
                        new WorkerEpoch(name, UUID.randomUUID().toString()),
                        1,
                        PartialWriter.DEFAULT_BLOCK_BYTES,
                        this::onward);
        queries = new StageQueries(stage, codes, new KeptVersions(kept), second, new Into());
        queries.restore();
        queries.follow(sources.catalog());
        StoreJournal journal = new StoreJournal(kept);
        journal.restore(stage, (query, version) -> !queries.mayKnow(query, version));
        stage.journal(journal);
        wakers.values().forEach(waker -> waker.resume(kept.get(waker.key())));
        stage.resumeRows();
        stage.addAgainListener(() -> wakers.values().forEach(MergedTrigger::again));
        if (second) {
            stage.addPassListener(watermarkNs -> passed());
        } else {
            stage.addPassListener(onward);
        }
        metrics.add(name, stage.counts());
        awaited = new AwaitedSources(stage, sources, clock, second ? shards : 0);
        awaited.first();
        held = new HeldMessages(kept);
        held.restore(context.currentSystemTimeMs());
        progress = new TaskProgress(name, context.currentSystemTimeMs());
        metrics.begins(name, progress);
        follow();
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> tick());
    }

    private void expect() {
        expectedAtMs = context.currentSystemTimeMs();
        awaited.expect();
    }

    private void onward(int one, MergeMessage message) {
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        context.forward(
                new Record<>(key, MergeMessageCodec.bytes(message), context.currentSystemTimeMs()),
                ONWARD);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        MergeMessage message;
        try {
            message = MergeMessageCodec.message(record.value());
        } catch (WeirException unreadable) {
            metrics.addMalformed();
            return;
        }
        follow();
        // On a busy machine many records come between two ticks. A worker that others know by now
        // must not be missing from a window only because of that.
        if (context.currentSystemTimeMs() - expectedAtMs >= TICK.toMillis()) {
            expect();
        }
        if (held.holds(message.source().worker()) || waits(message)) {
            held.hold(message, record.value(), context.currentSystemTimeMs());
        } else {
            stage.accept(message, clock.nowNs());
        }
        release();
        keepWakers();
    }

    /**
     * The sender may know a query, or its new place, before this instance does. The wait is in vain
     * only if a query was moved back meanwhile, and then only once.
     */
    private boolean waits(MergeMessage message) {
        ActivationId id = HeldMessages.activation(message);
        return id != null
                && !stage.knows(id.query(), id.version())
                && !inVain.contains(id)
                && queries.mayKnow(id.query(), id.version());
    }

    private void release() {
        if (!held.isEmpty()) {
            held.release(this::waits, context.currentSystemTimeMs(), this::accept);
        }
    }

    /** Takes a message that has waited. */
    private void accept(MergeMessage message) {
        ActivationId id = HeldMessages.activation(message);
        if (id != null && !stage.knows(id.query(), id.version())) {
            inVain.add(id);
        }
        stage.accept(message, clock.nowNs());
    }

    private void tick() {
        clock.look();
        follow();
        expect();
        release();
        keepWakers();
        progress.look(context.currentSystemTimeMs(), stage.passedNs(), this::waitsFor);
    }

    /** Returns the sources that it waits for, for people; empty for none. */
    private String waitsFor() {
        if (!held.isEmpty()) {
            return "the catalogue to tell it of " + String.join(", ", held.queries());
        }
        Set<String> behind = stage.behind();
        Set<String> unread = awaited.unread();
        unread.retainAll(behind);
        String who = String.join(", ", behind);
        if (!unread.isEmpty()) {
            return "windows that are on their way from " + String.join(", ", unread);
        } else if (!behind.isEmpty()) {
            return second ? who : "workers that live and send nothing: " + who;
        }
        return stage.isWaiting() ? "a worker to come: none that has windows is heard" : "";
    }

    private void follow() {
        CatalogState now = sources.catalog();
        queries.follow(now);
        if (now == followed) {
            return;
        }
        followed = now;
        retire(now);
        if (second) {
            settled();
        } else if (now.settles()) {
            onward.tell(new PartialRouting(now).awaited());
        }
    }

    private void retire(CatalogState now) {
        Map<String, String> lives = new HashMap<>();
        now.retired().forEach((worker, retired) -> lives.put(worker, retired.life()));
        stage.retire(lives);
    }

    private void passed() {
        wakers.values().forEach(MergedTrigger::tell);
        settled();
    }

    /** Not the end of everything, which a later reader must not see. */
    private void settled() {
        long passedNs = stage.passedNs();
        if (passedNs > settledNs && followed.settles()) {
            settledNs = passedNs;
            triggers().settled(passedNs);
        }
    }

    /** A predecessor with this task reports nothing more. */
    private TriggerWriter triggers() {
        if (triggers == null) {
            triggers = sources.triggers();
        }
        return triggers;
    }

    private void keepWakers() {
        for (MergedTrigger waker : wakers.values()) {
            if (waker.changed()) {
                kept.put(waker.key(), waker.kept());
            }
        }
    }

    private final class Into implements StageQueries.Adding {
        @Override
        public void add(Definition definition, StageQueries.Place place) {
            CompiledQuery code = codes.of(definition);
            long version = definition.version();
            boolean after = place.made() == RowsPlace.AFTER_SHARDS;
            if (after && !second) {
                PartialExporter away = onward.merged(code, version, place.asTable());
                stage.add(code, version, away, place.isRead());
            } else if (after || !second) {
                stage.add(code, version, rows(definition));
                keepTable(definition, place);
            }
        }

        private void keepTable(Definition definition, StageQueries.Place place) {
            if (second && place.asTable()) {
                stage.keepTable(definition.name(), definition.version());
            }
        }

        @Override
        public void move(Definition definition, StageQueries.Place place) {
            String query = definition.name();
            long version = definition.version();
            boolean after = place.made() == RowsPlace.AFTER_SHARDS;
            if (second && after && !stage.knows(query, version)) {
                add(definition, place);
            } else if (second && after) {
                keepTable(definition, place);
            } else if (!second && after) {
                CompiledQuery code = codes.of(definition);
                stage.move(query, version, onward.merged(code, version, place.asTable()));
            } else if (!second) {
                onward.forget(query);
                stage.move(query, version, rows(definition));
            }
        }

        /** Rows of a sub-query stay here. */
        private RowSink rows(Definition definition) {
            return definition.isSubQuery() ? batch -> {} : records(definition);
        }

        private ResultRecords records(Definition definition) {
            return new ResultRecords(
                    "merge " + name,
                    definition.query(),
                    definition.version(),
                    sources.rows().encoder(definition.query(), Topics.results(definition.name())),
                    sources.clock(),
                    record -> {
                        metrics.row();
                        context.forward(record, second ? AFTER_RESULTS : RESULTS);
                    });
        }

        @Override
        public void addRows(Definition definition, boolean older) {
            if (second) {
                stage.addRows(codes.of(definition), definition.version(), rows(definition), older);
            }
        }

        @Override
        public void addWaker(Definition definition, boolean older) {
            if (second) {
                wakers.put(
                        definition.name(),
                        new MergedTrigger(
                                definition, triggers(), stage, settings.delayNs(), older));
                metrics.waits(definition.name(), true);
            }
        }

        @Override
        public void removeWaker(String query) {
            MergedTrigger waker = wakers.remove(query);
            if (waker != null) {
                metrics.waits(query, false);
                stage.removeTrigger(waker.definition.query(), waker.test());
            }
        }
    }

    MergeCounts counts() {
        return stage.counts();
    }

    @Override
    public void close() {
        metrics.ends(name, progress);
        if (triggers != null) {
            triggers.close();
        }
        stage.close();
        allocator.close();
    }
}
