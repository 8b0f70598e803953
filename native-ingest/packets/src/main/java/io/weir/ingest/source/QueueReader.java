package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import io.weir.operators.time.Stopwatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reads one receive queue of a live source, on a thread of its own. If the source goes away and may
 * come back, the queue is opened again after a pause. All methods are for any thread.
 */
final class QueueReader {
    /** A source that has run for so long is tried again soon when it fails. */
    private static final long STEADY_NS = 10_000_000_000L;

    private static final int MOST_NOTES = 20;

    private final SourceQueue queue;
    private final ReaderRings rings;
    private final Account account;
    private final SourceContext context;
    private final Clock clock;
    private final Runnable onChange;
    private final Thread thread;

    // Guarded by this object's monitor.
    private SourceState state = SourceState.WAITING;
    private long sinceMs;
    private Source source;
    private boolean opening;
    private boolean stopped;
    private boolean hasRun;
    private int retries;
    private Throwable error;
    private CacheMetrics past = new CacheMetrics();
    private boolean grouped;
    private long seenNs = Long.MIN_VALUE;
    private long bytes;
    private final Set<String> notes = new LinkedHashSet<>();

    /**
     * @param context of this reader
     * @param onChange is called when its state has changed
     */
    QueueReader(
            SourceQueue queue,
            ReaderRings rings,
            SourceContext context,
            Clock clock,
            Runnable onChange) {
        this.clock = clock;
        sinceMs = clock.millis();
        this.queue = queue;
        this.rings = rings;
        this.account = context.account();
        this.context = context;
        this.onChange = onChange;
        thread = new Thread(this::readAll, "source-" + queue.spec().name() + "-" + queue.number());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void readAll() {
        RetryDelay delay = new RetryDelay(ThreadLocalRandom.current()::nextDouble);
        boolean again = true;
        rings.begin();
        while (again) {
            Stopwatch watch = Stopwatch.started();
            again = read();
            if (watch.ns() > STEADY_NS) {
                delay.reset();
            }
            again = again && pause(delay.nextNs());
        }
    }

    /** Reads it until it ends or fails. Returns whether it may come back. */
    private boolean read() {
        boolean back = false;
        opening();
        try (Source opened = queue.open(context)) {
            running(opened);
            readAll(opened);
            keep(opened);
            change(SourceState.ENDED, null);
        } catch (Throwable why) {
            back = mayComeBack(why);
        } finally {
            rings.takeBack(back);
            account.closePages();
        }
        return back;
    }

    private void readAll(Source opened) {
        try {
            rings.run(opened);
        } catch (RuntimeException | Error why) {
            finish(opened, why);
            keep(opened);
            throw why;
        }
    }

    /** Hands on the packets that it has read. */
    private void finish(Source failed, Throwable why) {
        try {
            failed.stop();
            rings.run(failed);
        } catch (RuntimeException again) {
            if (again != why) {
                why.addSuppressed(again);
            }
        }
    }

    private synchronized void opening() {
        opening = true;
        if (stopped) {
            thread.interrupt(); // nobody will again
        }
    }

    private void running(Source opened) {
        rings.lend(queue.spec().overflow());
        synchronized (this) {
            opening = false;
            source = opened;
            hasRun = true;
            if (stopped) {
                opened.stop();
            }
        }
        change(SourceState.RUNNING, null);
    }

    private synchronized void keep(Source closed) {
        grouped |= closed.caches().isPresent();
        closed.caches().ifPresent(its -> past = CacheMetrics.sum(List.of(past, its)));
        seenNs = Math.max(seenNs, closed.seenNs());
        bytes += closed.bytes();
        if (notes.size() < MOST_NOTES) {
            notes.addAll(closed.notes());
        }
        source = null;
    }

    /** A source that could be opened once may come back, whatever keeps it away now. */
    private boolean mayComeBack(Throwable why) {
        boolean gone = why instanceof WeirException known && known.code() == ErrorCode.SOURCE_GONE;
        boolean over;
        synchronized (this) {
            gone |= why instanceof WeirException && opening && hasRun;
            opening = false;
            over = stopped;
            retries += gone && !over ? 1 : 0;
        }
        if (over) {
            change(SourceState.ENDED, null);
        } else {
            change(gone ? SourceState.RETRYING : SourceState.FAILED, why);
        }
        return gone && !over;
    }

    /**
     * Takes note of why no packet can come while it is open. It waits then, and runs again when
     * they can.
     */
    void silence(Optional<String> why) {
        SourceState now = why.isPresent() ? SourceState.WAITING : SourceState.RUNNING;
        synchronized (this) {
            boolean open = source != null && !state.isFault() && !state.isOver();
            if (!open || state == now) {
                return;
            }
            set(now, why.map(text -> new WeirException(ErrorCode.SOURCE_GONE, text)).orElse(null));
        }
        onChange.run();
    }

    private void change(SourceState now, Throwable whyOrNull) {
        set(now, whyOrNull);
        onChange.run();
    }

    private synchronized void set(SourceState now, Throwable whyOrNull) {
        sinceMs = now == state ? sinceMs : clock.millis();
        state = now;
        error = whyOrNull == null ? error : whyOrNull;
    }

    /** Returns false if it was stopped. */
    private boolean pause(long ns) {
        boolean over = !await(Deadline.after(Duration.ofNanos(ns), clock));
        if (over) {
            change(SourceState.ENDED, null);
        }
        return !over;
    }

    private synchronized boolean await(Deadline end) {
        try {
            while (!end.isOver() && !stopped) {
                wait(Math.max(1, end.leftMs()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return !stopped;
    }

    /** Ends it soon, as if the source ended there. Idempotent. */
    synchronized void stop() {
        if (!stopped) {
            stopped = true;
            notifyAll();
            if (source != null) {
                source.stop();
            } else if (opening) {
                thread.interrupt(); // it may wait for a pipe's writer
            }
        }
    }

    void awaitEnd() {
        ThreadEnd.await(thread);
    }

    ReaderRings rings() {
        return rings;
    }

    synchronized SourceState state() {
        return state;
    }

    synchronized long sinceMs() {
        return sinceMs;
    }

    /** Returns whether it was open at some time. */
    synchronized boolean hasRun() {
        return hasRun;
    }

    synchronized int retries() {
        return retries;
    }

    /** Returns why it failed last. */
    synchronized Optional<Throwable> error() {
        return Optional.ofNullable(error);
    }

    /** Returns the counts of its caches, of all times that it was open. */
    synchronized Optional<CacheMetrics> caches() {
        Optional<CacheMetrics> now = source == null ? Optional.empty() : source.caches();
        return grouped || now.isPresent()
                ? Optional.of(now.map(its -> CacheMetrics.sum(List.of(past, its))).orElse(past))
                : Optional.empty();
    }

    /** Returns the time of its newest packet; MIN_VALUE if that is not known. */
    synchronized long seenNs() {
        return source == null ? seenNs : Math.max(seenNs, source.seenNs());
    }

    /** Returns the bytes that came, of all times that it was open. */
    synchronized long bytes() {
        return source == null ? bytes : bytes + source.bytes();
    }

    /** Returns the pages of its account. */
    List<Stage.Snapshot> pages() {
        return account.snapshot();
    }

    synchronized List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (source != null) {
            all.addAll(source.notes());
        }
        return all;
    }
}
