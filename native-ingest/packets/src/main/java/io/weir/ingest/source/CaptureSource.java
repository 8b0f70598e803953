package io.weir.ingest.source;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.NativeFrames;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.SourceThrottle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Turns packets of capture files, or of a receive queue, into GPVs, as fast as the rings take
 * blocks. The files are merged by packet time. Each has its own newest time, lateness and cache. If
 * several files overlap, each is read on for up to {@value #SLICE_NS} ns beyond the next one's
 * packet. So blocks, which belong to one file, are worth their headers. Equal input always gives
 * equal blocks. A pipe without a packet is waited for, since the others' packets may be newer.
 *
 * <p>A step ends at the first block that it publishes, even in the middle of a burst, or while a
 * cache empties. The next step goes on there.
 *
 * <p>One thread constructs, runs and closes it. {@link #stop} and the counts are for any.
 */
public final class CaptureSource implements PacketSource {
    static final long SLICE_NS = 10_000_000L;

    /** The bound of packets between two watermarks. */
    static final int MOST_PACKETS_A_FLUSH = 8192;

    /** The capture time after which a watermark follows, if there are some packets. */
    private static final long FLUSH_NS = 100_000_000L;

    /** The silence of a pipe after which a watermark follows; {@link #stop} is noticed then too. */
    private static final long QUIET_NS = 10_000_000L;

    private final SourceContext context;

    /** The longest of all inputs. */
    private final long latenessNs;

    private final PartitionedWriter out;
    private final SourceThrottle throttle;
    private final CaptureRound round;
    private final CaptureStage stage;
    private final CaptureFiles files;
    private final boolean endsRings;
    private volatile boolean stopped;

    /** Files to be asked for their next packet. */
    private final Deque<FileReplay> asked = new ArrayDeque<>();

    private final PriorityQueue<FileReplay> waiting = new PriorityQueue<>(FileReplay.BY_TIME);

    /** The file that is read now, and the time up to which; null between two. */
    private FileReplay current;

    private long limitNs;
    private boolean isRead;

    /** True if everything before the packet that is held was flushed. */
    private boolean heldFlushed;

    private boolean started;
    private boolean begun;
    private boolean ended;
    private WeirException failure;
    private int sinceFlush;
    private long newestNs = Long.MIN_VALUE;
    private long flushedNs = Long.MIN_VALUE;
    private long toldNs = Long.MIN_VALUE;

    /**
     * Opens the files, or looks at their first packets if there are several.
     *
     * @throws WeirException UNREADABLE_INPUT, NOT_A_CAPTURE, OUT_OF_NATIVE_MEMORY; nothing stays
     *     open
     */
    public CaptureSource(List<SourceSpec> inputs, SourceContext context) {
        this(inputs, context, CaptureRound.only(context), true, NativeFrames.isLoaded());
    }

    /**
     * Takes the frames of a receive queue.
     *
     * @param input has the name, the node and the options of the queue's source
     * @param queue is closed with this source, and also if this fails
     * @throws WeirException OUT_OF_NATIVE_MEMORY
     */
    public CaptureSource(SourceSpec input, PacketCursor queue, SourceContext context) {
        this(
                List.of(input),
                context,
                CaptureRound.only(context),
                true,
                NativeFrames.isLoaded(),
                queue);
    }

    CaptureSource(
            List<SourceSpec> inputs,
            SourceContext context,
            CaptureRound round,
            boolean endsRings,
            boolean mayUseC) {
        this(inputs, context, round, endsRings, mayUseC, null);
    }

    private CaptureSource(
            List<SourceSpec> inputs,
            SourceContext context,
            CaptureRound round,
            boolean endsRings,
            boolean mayUseC,
            PacketCursor queueOrNull) {
        this.context = context;
        this.latenessNs = SourceSpec.latestNs(inputs, context.config());
        this.out = new PartitionedWriter(context.writers());
        this.throttle = context.throttle();
        this.stage = round.stage();
        this.round = round;
        this.endsRings = endsRings;
        inputs.forEach(input -> stage.note(input.notes()));
        files = new CaptureFiles(context, out, stage, round.shiftNs(), mayUseC);
        if (queueOrNull == null) {
            files.open(inputs, round.metrics());
        } else {
            files.open(inputs.get(0), queueOrNull, round.metrics());
        }
    }

    /** Begins behind the packets of another source that had these rings before. */
    void followOthers() {
        files.notBefore(out.promisedNs());
    }

    /**
     * Reads on until a block is published, or a pipe was silent for a moment.
     *
     * @throws WeirException UNREADABLE_INPUT: a file was shortened meanwhile; or why a receive
     *     queue has failed, once its packets are in the rings, which then stay open
     */
    @Override
    public boolean step() {
        out.beginStep();
        boolean goesOn = true;
        while (goesOn && !ended && !out.hasPublished()) {
            goesOn = turn();
        }
        if (ended && failure != null) {
            throw failure;
        }
        return !ended;
    }

    /** Does one thing after another. Returns whether the step goes on if nothing is published. */
    private boolean turn() {
        if (!started) {
            started = true;
            files.live().forEach(FileReplay::start);
            asked.addAll(files.live());
        }
        if (stopped) {
            finish();
        } else if (!asked.isEmpty()) {
            return ask(asked.peek());
        } else if (current != null) {
            read(current);
        } else {
            choose();
        }
        return true;
    }

    /** Queues a file that has a packet ahead, or ends it. Returns false if a pipe is silent. */
    private boolean ask(FileReplay replay) {
        if (replay.isWaiting() && !replay.await(QUIET_NS)) {
            quiet(replay);
            return false;
        }
        replay.tellGap(stage);
        if (replay.hasNext()) {
            waiting.add(replay);
            asked.remove();
        } else if (end(replay)) {
            asked.remove();
        }
        return true;
    }

    private void quiet(FileReplay replay) {
        boolean due = sinceFlush > 0 || replay.isLossUntold();
        replay.comeAfter(begun ? Long.MIN_VALUE : throttle.othersNs());
        if (throttle.followsClock() && replay.beSilent()) {
            due |= replay.newestNs() - FLUSH_NS >= flushedNs;
        }
        if (tellLoss(replay) && due) {
            flush(replay, throttle.comeNs());
        }
    }

    /** Chooses the file with the oldest packet, once that may pass. */
    private void choose() {
        long nextNs = waiting.isEmpty() ? Long.MAX_VALUE : waiting.peek().nextNs();
        if (files.isLaterDue(nextNs)) {
            asked.add(files.openLater(round.metrics()));
        } else if (waiting.isEmpty()) {
            finish();
        } else {
            begin(nextNs);
            if (mayPass(waiting.peek())) {
                current = waiting.remove();
                isRead = false;
                limitNs = limitNs();
                out.source(current.index, current.nodeSymbol);
            }
        }
    }

    private void begin(long firstNs) {
        if (!begun) {
            begun = true;
            out.begun(firstNs);
            round.onFirst().accept(firstNs);
        }
    }

    private long limitNs() {
        long otherNs = waiting.isEmpty() ? Long.MAX_VALUE : waiting.peek().nextNs();
        long nextNs = Math.min(otherNs, files.laterNs());
        return nextNs == Long.MAX_VALUE ? nextNs : nextNs + SLICE_NS;
    }

    /**
     * Settles the times that the oldest packet ahead must not overtake. The pipeline sees all older
     * packets before.
     */
    private boolean mayPass(FileReplay first) {
        while (first.nextNs() >= throttle.holdAtNs() && !stopped) {
            if (!heldFlushed) {
                heldFlushed = flush(first, throttle.comeNs());
                if (out.hasPublished()) {
                    return false;
                }
            }
            throttle.settle();
            heldFlushed = false;
        }
        heldFlushed = false;
        return true;
    }

    /** Passes the current file's next burst, or the rest of one that a block has interrupted. */
    private void read(FileReplay replay) {
        boolean whole = replay.group();
        sinceFlush += replay.takePassed();
        if (!whole || !tellLoss(replay)) {
            return;
        }
        boolean many = sinceFlush >= MOST_PACKETS_A_FLUSH;
        boolean due = many || replay.newestNs() - FLUSH_NS >= flushedNs;
        if (isRead && sinceFlush >= FileReplay.BURST && due && !flush(replay, throttle.comeNs())) {
            return;
        }
        long stopNs = Math.min(limitNs, throttle.holdAtNs());
        if (isRead && !replay.hasBefore(stopNs)) {
            current = null;
            asked.add(replay);
            return;
        }
        replay.take(stopNs, flushedNs + FLUSH_NS);
        isRead = true;
    }

    /**
     * Expires GPVs, each file's by its own time, and publishes the watermark. Returns false if a
     * block was published before; the caller then calls again in the next step.
     */
    private boolean flush(FileReplay of, long comeNs) {
        List<FileReplay> live = files.live();
        long watermarkNs = files.laterWatermarkNs(latenessNs);
        long newest = flushedNs;
        // It uses no iterator, because it runs for every few packets.
        for (int i = 0; i < live.size(); i++) {
            FileReplay replay = live.get(i);
            out.source(replay.index, replay.nodeSymbol);
            if (!replay.expire(comeNs)) {
                return false;
            }
            watermarkNs = Math.min(watermarkNs, replay.watermarkNs(comeNs));
            newest = Math.max(newest, replay.newestNs());
        }
        out.flush(watermarkNs);
        flushedNs = newest;
        toldNs = Math.max(toldNs, watermarkNs);
        out.source(of.index, of.nodeSymbol);
        tell();
        sinceFlush = 0;
        return true;
    }

    /**
     * Reports a file's losses, if there are new ones, in the first window that is open when the
     * file reports them. Returns false as {@link #flush} does.
     */
    private boolean tellLoss(FileReplay replay) {
        if (!replay.isLossUntold()) {
            return true;
        }
        if (replay.lostNs() != Long.MIN_VALUE
                && !flush(replay, Math.min(throttle.comeNs(), replay.lostNs()))) {
            return false;
        }
        boolean seen = replay.newestNs() != Long.MIN_VALUE;
        boolean passed = toldNs != Long.MIN_VALUE;
        long packets = replay.takeLost();
        long atNs = passed ? toldNs : replay.newestNs() - replay.latenessNs;
        long own = seen ? context.gate().lost(atNs, packets) : packets;
        out.lost(own);
        replay.drop(own);
        return true;
    }

    /** Ends a file. Returns false as {@link #flush} does. */
    private boolean end(FileReplay replay) {
        out.source(replay.index, replay.nodeSymbol);
        if (!replay.flush() || !tellLoss(replay)) {
            return false;
        }
        newestNs = Math.max(newestNs, replay.newestNs());
        stage.note(replay.file().notes());
        failure = replay.file().failure().orElse(failure);
        files.close(replay);
        return true;
    }

    /** Ends all files, at the end or after {@link #stop}. The packets of a burst are counted. */
    private void finish() {
        if (current != null && !current.group()) {
            return;
        }
        while (!files.live().isEmpty()) {
            if (!end(files.live().get(0))) {
                return;
            }
        }
        if (newestNs != Long.MIN_VALUE) {
            out.watermark(newestNs - latenessNs); // a short capture has reported no time yet
        }
        if (failure != null) {
            out.flush(Long.MIN_VALUE);
        } else if (endsRings) {
            out.end(newestNs);
        }
        tell();
        ended = true;
    }

    long newestNs() {
        return newestNs;
    }

    private void tell() {
        stage.tell(round.metrics().packets(), out.droppedPackets());
        stage.see(begun ? Math.max(flushedNs, newestNs) : Long.MIN_VALUE);
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public CacheMetrics metrics() {
        return round.metrics();
    }

    @Override
    public long seenNs() {
        return stage.seenNs();
    }

    @Override
    public long bytes() {
        return stage.bytes();
    }

    @Override
    public List<String> notes() {
        return stage.notes();
    }

    @Override
    public void close() {
        files.close();
    }
}
