package io.weir.cluster.merge;

import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.worker.SettledThrottle;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.QueryShape;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.CountingInterval;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A cluster in one process: workers with an engine and a thread each, each with its slice of a
 * capture by the partition key; shards that merge; a second step behind them; and a postman between
 * them who keeps each source's order and no other.
 */
final class ClusterRun {
    static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(SourceConfig.DEFAULT.latenessNs(), CacheConfig.DEFAULT.timeoutNs())
                    .withMemory(1L << 30, 256L << 20);

    private static final String LOCAL = "local";

    private final Map<String, CompiledQuery> codes = new LinkedHashMap<>();
    private final Set<String> read = new HashSet<>();
    private final Path capture;
    private final int workers;
    private final int rings;
    private final int shards;
    private final Post post;
    private final Rows rows = new Rows();
    private final List<MergeStage> first = new ArrayList<>();
    private final List<LocalEngine> engines = new ArrayList<>();
    private final List<SettledThrottle> paces = new ArrayList<>();
    private final NativeAllocator allocator = new NativeAllocator(2L << 30);
    private final MergeStage second;
    private volatile Throwable failure;

    ClusterRun(
            Collection<Query> queries,
            Path capture,
            int workers,
            int rings,
            int shards,
            Random random) {
        this.capture = capture;
        this.workers = workers;
        this.rings = rings;
        this.shards = shards;
        post = new Post(random);
        for (Query query : queries) {
            codes.put(query.name(), KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()));
            query.when().ifPresent(when -> read.addAll(when.upstreams()));
            if (!query.reads().isSpread()) {
                read.addAll(query.scan().queries());
            }
        }
        MergeStage.Options options = MergeStage.Options.DEFAULT;
        second = MergeStage.second(allocator, options);
        for (int s = 0; s < shards; s++) {
            first.add(shard(s, options));
        }
        second.expect(names("shard-", shards), Set.of(), 0);
        codes.values().forEach(this::addSecond);
        second.addPassListener(timeNs -> paces.forEach(throttle -> throttle.settled(timeNs)));
    }

    /** What one engine says of the whole capture. */
    static Rows single(Collection<Query> queries, Path capture) {
        Rows rows = new Rows();
        try (LocalEngine engine = new LocalEngine(OPTIONS, new Account())) {
            for (Query query : queries) {
                engine.add(KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()), rows);
            }
            engine.start();
            Reading.all(engine, capture, LOCAL);
        }
        return rows;
    }

    /** Whether the query's rows come in one order, as on one engine. */
    static boolean isOrdered(Query query, Collection<Query> all) {
        boolean read = all.stream().anyMatch(other -> reads(other, query.name()));
        boolean keyed = query.aggregate().filter(a -> !a.keys().isEmpty()).isPresent();
        return !query.reads().isSpread()
                || made(query, read) == RowsPlace.AFTER_SHARDS
                || made(query, read) == RowsPlace.IN_SHARDS && !keyed;
    }

    private static boolean reads(Query other, String query) {
        return other.scan().queries().contains(query)
                || other.when().filter(when -> when.upstreams().contains(query)).isPresent();
    }

    private static RowsPlace made(Query query, boolean read) {
        if (read || RowsPlace.looksAcross(query)) {
            return RowsPlace.AFTER_SHARDS;
        }
        boolean whole = !query.isSplitBy(PartitionKey.ADDRESSES);
        boolean sorted = query.root() instanceof Operator.Sort;
        return sorted || !whole ? RowsPlace.IN_SHARDS : RowsPlace.ON_WORKERS;
    }

    private RowsPlace made(Query query) {
        return made(query, read.contains(query.name()));
    }

    private static Set<String> names(String prefix, int count) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    private MergeStage shard(int s, MergeStage.Options options) {
        MergeStage stage = MergeStage.first(allocator, options);
        PartialSender sender =
                new PartialSender(
                        new WorkerEpoch("shard-" + s, "1"),
                        1,
                        700,
                        (one, message) -> post.put("second from " + s, second, message));
        for (CompiledQuery code : codes.values()) {
            if (code.query().reads().isSpread() && made(code.query()) == RowsPlace.IN_SHARDS) {
                stage.add(code, 1, rows);
            } else if (code.query().reads().isSpread()
                    && made(code.query()) == RowsPlace.AFTER_SHARDS) {
                boolean readElsewhere = read.contains(code.query().name());
                stage.add(code, 1, sender.merged(code, 1), readElsewhere);
            }
        }
        stage.expect(names("worker-", workers), Set.of(), 0);
        sender.tell(awaited());
        stage.addPassListener(sender::passed);
        return stage;
    }

    private void addSecond(CompiledQuery code) {
        Query query = code.query();
        if (!query.reads().isSpread()) {
            second.addRows(code, 1, rows, false);
        } else if (made(query) == RowsPlace.AFTER_SHARDS) {
            second.add(code, 1, rows);
        }
        if (query.when().isPresent()) {
            Optional<Correlation> used = query.when().get().correlation();
            WhenState state = new WhenState(used.map(Correlation::most).orElse(1), 0);
            second.addTrigger(query, OPTIONS.delayNs(), state, new Waker(query), false);
        }
    }

    /** Tells all engines, and the second step where the query is its own. */
    private final class Waker implements WhenTester.Listener {
        private final Query query;
        private final CountingInterval interval;

        Waker(Query query) {
            this.query = query;
            interval = new CountingInterval(query, OPTIONS.delayNs());
        }

        @Override
        public void changed(WhenState.Change change, RowBatch batch, int row) {
            boolean here = !query.reads().isSpread(); // workers do not have it
            boolean begins = change.begins() && interval.begin(change, change.fromNs());
            if (!change.begins()) {
                interval.end(change);
            }
            if (here && begins) {
                second.wake(query.name(), interval.gate(), change.fromNs());
            } else if (!here) {
                engines.forEach(engine -> engine.report(query.name(), change));
                // It comes again, as from a merge that was started anew.
                engines.get(0).report(query.name(), change);
            }
        }
    }

    /** Runs it all; the rows of all parts. */
    Rows run() {
        try {
            for (int w = 0; w < workers; w++) {
                engines.add(engine(w));
            }
            List<Thread> threads = new ArrayList<>();
            for (int w = 0; w < workers; w++) {
                int worker = w;
                Thread thread = new Thread(() -> guarded(() -> read(worker)), "worker-" + w);
                thread.start();
                threads.add(thread);
            }
            guarded(() -> deliver(threads));
            for (Thread thread : threads) {
                thread.join();
            }
            guarded(post::deliverAll);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            engines.forEach(LocalEngine::close);
            first.forEach(MergeStage::close);
            second.close();
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
        allocator.close();
        return rows;
    }

    /** For who waits, who ends only by this. */
    private boolean check() {
        if (failure != null) {
            throw new IllegalStateException("another part failed", failure);
        }
        return false;
    }

    private void guarded(Runnable part) {
        try {
            part.run();
        } catch (Throwable broken) {
            fail(broken);
        }
    }

    private synchronized void fail(Throwable broken) {
        failure = failure == null ? broken : failure;
    }

    private void deliver(List<Thread> threads) {
        while (failure == null && threads.stream().anyMatch(Thread::isAlive)) {
            if (!post.deliverOne()) {
                LockSupport.parkNanos(20_000);
            }
        }
    }

    private LocalEngine engine(int w) {
        LocalEngine engine = new LocalEngine(OPTIONS.withShape(1, rings), new Account());
        PartialSender sender =
                new PartialSender(
                        new WorkerEpoch("worker-" + w, "1"),
                        shards,
                        2000,
                        (shard, message) ->
                                post.put(w + " to " + shard, first.get(shard), message));
        for (CompiledQuery code : codes.values()) {
            if (code.query().reads().isSpread()) {
                add(engine, code, sender);
            }
        }
        sender.tell(awaited());
        engine.addPassListener(sender::passed);
        paces.add(throttle(engine));
        return engine;
    }

    private void add(LocalEngine engine, CompiledQuery code, PartialSender sender) {
        boolean here = made(code.query()) == RowsPlace.ON_WORKERS;
        PartialExporter exporter = here ? null : sender.exporter(code, 1);
        boolean isRead = read.contains(code.query().name());
        if (code.query().when().isPresent() && here) {
            engine.addWoken(code, rows);
        } else if (code.query().when().isPresent()) {
            engine.addWoken(code, exporter, isRead);
        } else if (here) {
            engine.add(code, rows);
        } else {
            engine.add(code, exporter, isRead);
        }
    }

    private SettledThrottle throttle(LocalEngine engine) {
        SettledThrottle throttle = new SettledThrottle(engine, OPTIONS.delayNs(), this::check);
        throttle.hold(awaited());
        return throttle;
    }

    /** Windows at whose ends queries can wake. */
    private List<Window> awaited() {
        return codes.values().stream()
                .flatMap(code -> code.query().when().stream())
                .flatMap(when -> when.upstreams().stream())
                .map(upstream -> QueryShape.emission(codes.get(upstream).query()))
                .distinct()
                .toList();
    }

    /** One worker: of the whole capture, what is in its slice goes to its engine. */
    private void read(int w) {
        LocalEngine engine = engines.get(w);
        SettledThrottle throttle = paces.get(w);
        List<BlockRing> unread = new ArrayList<>();
        engine.start();
        try {
            List<BlockWriter> writers = new ArrayList<>();
            for (int i = 0; i < workers * rings; i++) {
                boolean ours = i / rings == w;
                writers.add(ours ? engine.writers().get(i % rings) : nowhere(engine, unread));
            }
            Reading.all(engine, throttle, writers, List.of(SourceSpec.pcap(LOCAL, capture)));
        } finally {
            unread.forEach(BlockRing::close);
        }
    }

    private static BlockWriter nowhere(LocalEngine engine, List<BlockRing> unread) {
        BlockRing ring = new BlockRing(engine.allocator(), OPTIONS.bounds().ringBytes());
        unread.add(ring);
        return new BlockWriter(
                ring,
                0,
                OPTIONS.bounds().blockBytes(),
                () -> ring.read((address, length) -> {}, 64));
    }

    /** Counts of all shards. */
    List<String> counts() {
        List<String> counts = new ArrayList<>();
        first.forEach(stage -> counts.add(stage.counts().toString()));
        counts.add("second: " + second.counts());
        return counts;
    }

    long duplicates() {
        return first.stream().mapToLong(stage -> stage.counts().duplicates().get()).sum();
    }
}
