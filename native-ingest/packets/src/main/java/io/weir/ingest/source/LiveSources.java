package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The live sources of one engine. A thread reads each receive queue and writes to rings of its own.
 * Sources come and go while the engine runs. A source that fails for good ends alone, unless it is
 * the last, or has never run. {@link #step} keeps time for rings without an open source. One thread
 * takes the steps; all else is for any.
 */
public final class LiveSources implements Source {
    /** The time of a step. */
    private static final long TICK_MS = 50;

    private final Supplier<SourceContext> moreRings;
    private final Consumer<SourceStatus> listener;
    private final Clock clock;

    // Guarded by this object's monitor.
    private final List<LiveSource> sources = new ArrayList<>();
    private final List<ReaderRings> all = new ArrayList<>();
    private final Deque<ReaderRings> free = new ArrayDeque<>();
    private boolean started;
    private boolean stopped;
    private boolean changed;
    private boolean ended;
    private boolean waits;

    /**
     * @param contexts of rings that are there
     * @param moreRings makes rings for one more reader; throws OUT_OF_NATIVE_MEMORY
     * @param listener is told of each source whose state has changed
     */
    LiveSources(
            List<SourceContext> contexts,
            Supplier<SourceContext> moreRings,
            Consumer<SourceStatus> listener,
            Clock clock) {
        this.clock = clock;
        this.moreRings = moreRings;
        this.listener = listener;
        contexts.forEach(this::addRings);
    }

    /**
     * Makes the live sources of an engine. Each receive queue is opened by its own thread, when it
     * is run.
     *
     * @param named the sources by name, in the order of the contexts
     * @param contexts as many as there are {@link Sources#queues}
     * @param moreRings makes rings for one more reader; throws OUT_OF_NATIVE_MEMORY
     * @param listener is told of each source whose state has changed
     */
    public static LiveSources of(
            Map<String, SourceSpec> named,
            List<SourceContext> contexts,
            Supplier<SourceContext> moreRings,
            Consumer<SourceStatus> listener) {
        LiveSources live = new LiveSources(contexts, moreRings, listener, Clock.SYSTEM);
        named.forEach(live::add);
        return live;
    }

    /** Goes on when all sources have ended or failed, because others may come. */
    public synchronized LiveSources waiting() {
        waits = true;
        return this;
    }

    private void addRings(SourceContext context) {
        ReaderRings rings = new ReaderRings(context);
        all.add(rings);
        free.add(rings);
    }

    /**
     * Adds a source, which starts with the first step or now.
     *
     * @throws WeirException INVALID_OPTION: the name is taken, or the sources have ended;
     *     OUT_OF_NATIVE_MEMORY
     */
    public synchronized void add(String name, SourceSpec spec) {
        checkNew(name);
        int queues = Sources.factory(spec.scheme()).queues(spec);
        while (free.size() < queues) {
            addRings(moreRings.get());
        }
        LiveSource source = new LiveSource(name, spec, !started);
        for (int queue = 0; queue < queues; queue++) {
            ReaderRings rings = free.remove();
            SourceContext of = rings.context();
            SourceContext own = of.with(new OwnThrottle(of.throttle())).with(of.account().part());
            SourceQueue one = new SourceQueue(spec, queue);
            source.add(new QueueReader(one, rings, own, clock, () -> changed(source)));
        }
        sources.add(source);
        if (started) {
            source.readers().forEach(QueueReader::start);
        }
    }

    private void checkNew(String name) {
        if (stopped || ended) {
            throw Sources.invalid("the packets have ended", "start again for more sources");
        }
        if (sources.stream().anyMatch(source -> source.name().equals(name))) {
            throw Sources.invalid("there is a source " + name, "DROP SOURCE " + name + " first");
        }
    }

    /**
     * Ends a source, and takes it out. Its last packets are counted. Its rings wait for another.
     *
     * @return whether there was one
     */
    public boolean drop(String name) {
        Optional<LiveSource> found = takeOut(name);
        found.ifPresent(this::end);
        return found.isPresent();
    }

    /** The engine goes on, also if this is its last source: others may come. */
    private synchronized Optional<LiveSource> takeOut(String name) {
        Optional<LiveSource> found =
                sources.stream().filter(source -> source.name().equals(name)).findFirst();
        found.ifPresent(sources::remove);
        return found;
    }

    private void end(LiveSource source) {
        source.stop();
        if (isStarted()) {
            source.awaitEnd();
        }
        synchronized (this) {
            source.readers().forEach(reader -> free.add(reader.rings()));
        }
    }

    private synchronized boolean isStarted() {
        return started;
    }

    /** Returns the sources as they are now. */
    public List<SourceStatus> statuses() {
        return sources().stream().map(source -> source.status(clock.millis())).toList();
    }

    private synchronized List<LiveSource> sources() {
        return List.copyOf(sources);
    }

    private void changed(LiveSource source) {
        synchronized (this) {
            changed = true;
            notifyAll();
        }
        SourceStatus now = source.status(clock.millis());
        if (source.isNews(now.state())) {
            listener.accept(now);
        }
    }

    /**
     * Waits for a moment, and keeps the time of rings without an open source.
     *
     * @throws WeirException as {@link SourceFactory#open}: a source failed before it ran, or all
     *     have failed
     */
    @Override
    public boolean step() {
        start();
        waitForChange();
        List<LiveSource> now = sources();
        now.forEach(LiveSource::endIfFailed);
        now.forEach(source -> source.tick(clock.nanos()));
        follow();
        Optional<LiveSource> failed = now.stream().filter(LiveSource::failedAtStart).findFirst();
        if (failed.isPresent()) {
            stop();
        }
        boolean over = isOver();
        if (over) {
            now.forEach(LiveSource::awaitEnd);
            throwFailure(now, failed);
        }
        return !over;
    }

    private synchronized void start() {
        if (!started) {
            started = true;
            sources.forEach(source -> source.readers().forEach(QueueReader::start));
        }
    }

    private synchronized void waitForChange() {
        try {
            Deadline tick = Deadline.afterMs(TICK_MS);
            while (!changed && !isOver() && !tick.isOver()) {
                wait(Math.max(1, tick.leftMs()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
        changed = false;
    }

    private synchronized void follow() {
        long othersNs = othersNs();
        all.forEach(rings -> rings.follow(othersNs));
    }

    /** Returns the time that all open sources with packets have passed; else MIN_VALUE. */
    private synchronized long othersNs() {
        long least = Long.MAX_VALUE;
        for (ReaderRings rings : all) {
            if (rings.isBegun()) {
                least = Math.min(least, rings.passedNs());
            }
        }
        return least == Long.MAX_VALUE ? Long.MIN_VALUE : least;
    }

    private synchronized boolean isOver() {
        boolean over = sources.stream().allMatch(LiveSource::isOver);
        ended |= over && (stopped || !sources.isEmpty() && !waits);
        return ended;
    }

    /** Throws the failure of one that has never run, or of the first if all have failed. */
    private static void throwFailure(List<LiveSource> all, Optional<LiveSource> atStart) {
        boolean none = all.stream().allMatch(source -> source.failure().isPresent());
        Optional<LiveSource> first = none ? all.stream().findFirst() : Optional.empty();
        Optional<Throwable> why = atStart.or(() -> first).flatMap(LiveSource::failure);
        if (why.isPresent() && why.get() instanceof RuntimeException exception) {
            throw exception;
        } else if (why.isPresent() && why.get() instanceof Error error) {
            throw error;
        }
    }

    @Override
    public void stop() {
        List<LiveSource> now;
        synchronized (this) {
            stopped = true;
            now = List.copyOf(sources);
            notifyAll();
        }
        now.forEach(LiveSource::stop);
    }

    @Override
    public Optional<CacheMetrics> caches() {
        List<CacheMetrics> caches =
                sources().stream()
                        .flatMap(source -> source.readers().stream())
                        .flatMap(reader -> reader.caches().stream())
                        .toList();
        return caches.isEmpty() ? Optional.empty() : Optional.of(CacheMetrics.sum(caches));
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (LiveSource source : sources()) {
            source.readers().forEach(reader -> notes.addAll(reader.notes()));
            source.failure()
                    .ifPresent(why -> notes.add(source.name() + ": " + SourceStatus.text(why)));
        }
        return notes.stream().distinct().toList();
    }

    /** Ends all readers; each closes its own source. */
    @Override
    public void close() {
        stop();
        if (isStarted()) {
            sources().forEach(LiveSource::awaitEnd);
        }
        rings().forEach(ReaderRings::close);
    }

    private synchronized List<ReaderRings> rings() {
        return List.copyOf(all);
    }

    /** The engine's throttle, for one reader of several. */
    private final class OwnThrottle implements SourceThrottle {
        private final SourceThrottle engine;

        OwnThrottle(SourceThrottle engine) {
            this.engine = engine;
        }

        @Override
        public long holdAtNs() {
            return engine.holdAtNs();
        }

        @Override
        public void settle() {
            engine.settle();
        }

        @Override
        public long comeNs() {
            return engine.comeNs();
        }

        @Override
        public boolean followsClock() {
            return engine.followsClock();
        }

        @Override
        public long othersNs() {
            return LiveSources.this.othersNs();
        }
    }
}
