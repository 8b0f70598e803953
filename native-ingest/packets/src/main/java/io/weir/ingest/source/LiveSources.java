package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.operators.ring.ThreadEnd;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Live sources of one engine. A thread reads each receive queue and writes to rings of its own.
 * {@link #step} waits for all of them. If one fails, the others are stopped.
 */
final class LiveSources implements Source {
    private final List<Reader> readers = new ArrayList<>();
    private volatile Throwable failure;

    /**
     * @param contexts one for each queue
     */
    LiveSources(List<Sources.Queue> queues, List<SourceContext> contexts) {
        Iterator<SourceContext> context = contexts.iterator();
        for (Sources.Queue queue : queues) {
            readers.add(new Reader(queue, context.next()));
        }
    }

    /** Waits for all of them, in one step. */
    @Override
    public boolean step() {
        readers.forEach(reader -> reader.thread.start());
        readers.forEach(reader -> ThreadEnd.await(reader.thread));
        if (failure instanceof RuntimeException exception) {
            throw exception;
        } else if (failure instanceof Error error) {
            throw error;
        }
        return false;
    }

    private synchronized void failed(Throwable why) {
        if (failure == null) {
            failure = why;
        }
        stop();
    }

    @Override
    public void stop() {
        readers.forEach(Reader::stop);
    }

    @Override
    public Optional<CacheMetrics> caches() {
        List<CacheMetrics> all =
                readers.stream().flatMap(reader -> reader.caches.stream()).toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(CacheMetrics.sum(all));
    }

    @Override
    public List<String> notes() {
        return readers.stream().flatMap(reader -> reader.notes.stream()).distinct().toList();
    }

    /** Each thread has closed its own source. */
    @Override
    public void close() {}

    /** One queue's thread. */
    private final class Reader {
        private final Sources.Queue queue;
        private final SourceContext context;
        private final Thread thread;
        private volatile Optional<CacheMetrics> caches = Optional.empty();
        private volatile List<String> notes = List.of();

        // The fields from here on are guarded by this object's monitor.
        private Source source;
        private boolean stopped;

        Reader(Sources.Queue queue, SourceContext context) {
            this.queue = queue;
            this.context = context;
            thread = new Thread(this::read, "source-" + queue.spec().name() + "-" + queue.number());
            thread.setDaemon(true);
        }

        private void read() {
            try (Source opened = queue.open(context)) {
                caches = opened.caches();
                begun(opened);
                opened.run();
                notes = opened.notes();
            } catch (Throwable why) {
                if (!isOpeningStopped()) {
                    failed(why);
                }
            }
        }

        private synchronized void begun(Source opened) {
            source = opened;
            if (stopped) {
                opened.stop();
            }
        }

        /** It was interrupted then: nothing came that could be opened. */
        private synchronized boolean isOpeningStopped() {
            return stopped && source == null;
        }

        private synchronized void stop() {
            if (!stopped) {
                stopped = true;
                if (source != null) {
                    source.stop();
                } else {
                    thread.interrupt(); // it may wait for a pipe's writer
                }
            }
        }
    }
}
