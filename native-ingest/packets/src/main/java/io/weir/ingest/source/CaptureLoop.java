package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.NativeFrames;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.Section;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Replays capture files as if their packets came now. The caller sets the begin time, and the files
 * can be repeated. Each round follows the one before without a gap, so event time never goes back.
 * It also reads pipes, whose packets do come now. One thread; {@link #stop} is for any.
 */
public final class CaptureLoop {
    /** The time between the last packet of a round and the first of the next. */
    private static final long GAP_NS = 1_000_000L;

    private final List<SourceSpec> inputs;
    private final SourceContext context;
    private final Runnable poll;
    private final CaptureStage stage;
    private final CacheMetrics metrics = new CacheMetrics();

    private volatile boolean stopped;

    // Both fields are guarded by this object's monitor.
    private Thread opening;
    private CaptureSource round;

    /**
     * @param context with a gate that admits packets, those of each round by their times in it
     * @param poll runs between two steps: the pipeline, if this thread runs it
     */
    public CaptureLoop(List<SourceSpec> inputs, SourceContext context, Runnable poll) {
        this.inputs = List.copyOf(inputs);
        this.context = context;
        this.poll = poll;
        this.stage = new CaptureStage(context.account(), context.config().latenessNs());
    }

    /**
     * Returns the time of the oldest of the files' first packets; empty when there is no packet.
     */
    public static OptionalLong firstNs(List<SourceSpec> inputs) {
        OptionalLong first = OptionalLong.empty();
        for (SourceSpec input : inputs) {
            for (Section section : Captures.sections(input.path())) {
                try (CaptureFile file = Captures.open(input.path(), section)) {
                    OptionalLong its = FirstPacket.inTimeNs(file);
                    boolean older =
                            first.isEmpty()
                                    || its.isPresent() && its.getAsLong() < first.getAsLong();
                    first = older ? its : first;
                }
            }
        }
        return first;
    }

    /**
     * Replays the files, once or until {@link #stop}, and ends the rings.
     *
     * @param firstNs of these files: {@link #firstNs}
     * @param shiftNs is added to the packets' times in the first round
     */
    public void run(OptionalLong firstNs, long shiftNs, boolean repeat) {
        long shift = shiftNs;
        long endNs = Long.MIN_VALUE;
        do {
            long newest = round(shift, ns -> {});
            endNs = Math.max(endNs, newest);
            if (newest == Long.MIN_VALUE) {
                break; // there is nothing to repeat
            }
            shift = newest + GAP_NS - firstNs.orElse(newest);
        } while (repeat && !stopped);
        new PartitionedWriter(context.writers()).end(endNs);
    }

    /**
     * Reads pipes as their packets come, until all of them end or {@link #stop}, and ends the
     * rings.
     *
     * @param first gets the time of the first packet, if there is one, before it goes on
     */
    public void runLive(LongConsumer first) {
        new PartitionedWriter(context.writers()).end(round(0, first));
    }

    private long round(long shift, LongConsumer first) {
        try (CaptureSource source = open(shift, first)) {
            while (source.step()) {
                poll.run();
            }
            return source.newestNs();
        } catch (WeirException e) {
            if (!isOpeningStopped()) {
                throw e;
            }
            return Long.MIN_VALUE;
        } finally {
            opened(null);
        }
    }

    private CaptureSource open(long shift, LongConsumer first) {
        synchronized (this) {
            opening = Thread.currentThread();
            if (stopped) {
                opening.interrupt(); // nobody will again
            }
        }
        CaptureRound own = new CaptureRound(stage, metrics, shift, first);
        CaptureSource source =
                new CaptureSource(inputs, context, own, false, NativeFrames.isLoaded());
        opened(source);
        return source;
    }

    /** The pipe then counts as empty. */
    private synchronized boolean isOpeningStopped() {
        return stopped && opening != null;
    }

    private synchronized void opened(CaptureSource source) {
        if (isOpeningStopped()) {
            Thread.interrupted(); // that was for the opening alone
        }
        opening = null;
        round = source;
        if (stopped && source != null) {
            source.stop();
        }
    }

    /** Ends {@link #run} soon, as if the files ended there. */
    public synchronized void stop() {
        stopped = true;
        if (opening != null) {
            opening.interrupt(); // it may wait for a pipe's writer
        }
        if (round != null) {
            round.stop();
        }
    }

    /** Returns notes on the input so far, over all rounds, for the user. Any thread. */
    public List<String> notes() {
        return stage.notes();
    }

    /** Returns the packets that were handed on. Any thread. */
    public long packets() {
        return metrics.packets();
    }
}
