package io.weir.ingest.source;

import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OverflowPolicy;
import io.weir.operators.ring.OwnPipelines;
import java.util.List;

/**
 * The rings of one reader of live packets. An open source is their producer. Between two sources
 * their watermark follows the others, so that the others' windows close. If the last source was at
 * the wall clock's time, the watermark follows the clock, too. If the reader runs the pipelines of
 * its rings, it does so while it has a source; the thread that writes here does it otherwise. Any
 * thread.
 */
final class ReaderRings {
    /** The distance of a source from the wall clock if its packets come as they are seen. */
    private static final long NEAR_NS = 10_000_000_000L;

    /** The silence after which the clock moves the time on. */
    private static final long SILENCE_NS = 1_000_000_000L;

    private final SourceContext context;
    private final List<BlockWriter> writers;
    private final OwnPipelines pipelines;

    // Guarded by this object's monitor.
    private boolean lent;
    private boolean closed;
    private boolean nearClock;

    ReaderRings(SourceContext context) {
        this.context = context;
        writers = context.writers();
        pipelines = context.pipelines();
        for (BlockWriter writer : writers) {
            writer.overflow(OverflowPolicy.DROP);
            writer.takeSources();
        }
    }

    SourceContext context() {
        return context;
    }

    /**
     * An open source is the producer from now on.
     *
     * @param policy what becomes of its blocks that find a ring full
     */
    synchronized void lend(OverflowPolicy policy) {
        lent = true;
        for (BlockWriter writer : writers) {
            writer.overflow(policy);
            writer.times().await(false);
        }
    }

    /**
     * The source is closed. It ends here if it has not said so.
     *
     * @param back whether it is to come back
     */
    synchronized void takeBack(boolean back) {
        long promisedNs = Long.MIN_VALUE;
        for (BlockWriter writer : writers) {
            writer.overflow(OverflowPolicy.DROP); // no reader waits for room now
            writer.end(writer.promisedNs());
            writer.times().await(back);
            promisedNs = Math.max(promisedNs, writer.promisedNs());
        }
        pipelines.run();
        long reachNs = NEAR_NS + delayNs();
        nearClock = promisedNs >= context.wallNs().getAsLong() - reachNs;
        lent = false;
    }

    private long delayNs() {
        return context.config().latenessNs() + context.config().cache().timeoutNs();
    }

    /** Moves the time on, unless an open source does. */
    synchronized void follow(long othersNs) {
        if (lent || closed) {
            return;
        }
        long ns = othersNs;
        if (othersNs == Long.MIN_VALUE && nearClock) {
            ns = context.wallNs().getAsLong() - SILENCE_NS - delayNs();
        }
        for (BlockWriter writer : writers) {
            if (ns > writer.promisedNs()) {
                writer.flush(ns);
            }
        }
        pipelines.run();
    }

    /** The reader's thread, before it opens its first source. */
    void begin() {
        pipelines.begin();
    }

    /** Takes all steps of an open source, on the reader's thread. */
    void run(Source source) {
        while (source.step()) {
            pipelines.run();
        }
    }

    /** Returns whether a source has brought packets here, and has not ended. */
    boolean isBegun() {
        return writers.get(0).times().isOpen();
    }

    /** Reads and writes them no more from now on: the engine may free them. */
    synchronized void close() {
        closed = true;
    }

    /** Returns how full the fullest of them is, from 0 to 1; 0 once they are closed. */
    synchronized double fill() {
        if (closed) {
            return 0;
        }
        return writers.stream().mapToDouble(BlockWriter::ringFill).max().orElse(0);
    }

    /** Returns the time that all its rings have passed. */
    long passedNs() {
        long least = Long.MAX_VALUE;
        for (BlockWriter writer : writers) {
            least = Math.min(least, writer.times().passedNs());
        }
        return least;
    }
}
