package io.weir.ingest.source;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Section;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.SourceThrottle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * Replays capture files as a source of GPVs, as fast as the rings take blocks. The files are merged
 * by packet time. Each has its own newest time, lateness and cache. If several files overlap, each
 * is read on for up to {@value #SLICE_NS} ns beyond the next one's packet. So blocks, which belong
 * to one file, are worth their headers. Equal input always gives equal blocks. Pipes are read as
 * they come. A pipe without a packet is waited for, since the others' packets may be newer. Earlier
 * packets are handed on first.
 *
 * <p>One thread constructs, runs ({@link #run}) and closes it; {@link #stop} and the counts are for
 * any.
 */
public final class CaptureSource implements PacketSource {
    static final long SLICE_NS = 10_000_000L;

    /** The bound of packets between two watermarks. */
    private static final int MOST_PACKETS_A_FLUSH = 8192;

    /** The capture time after which a watermark follows, if there are some packets. */
    private static final long FLUSH_NS = 100_000_000L;

    /** The silence of a pipe after which a watermark follows; {@link #stop} is noticed then too. */
    private static final long QUIET_NS = 10_000_000L;

    private final SourceContext context;

    /** The longest of all inputs. */
    private final long latenessNs;

    private final PartitionedWriter out;
    private final SourceThrottle pace;
    private final CacheMetrics metrics;
    private final CaptureStage stage;
    private final long shiftNs;

    /** Files that have not ended. */
    private final List<FileReplay> live = new ArrayList<>();

    private final PriorityQueue<FileReplay> waiting =
            new PriorityQueue<>(
                    Comparator.comparingLong(FileReplay::nextNs).thenComparingInt(r -> r.order));

    /** Sections of files, each opened when its time has come. */
    private final PriorityQueue<Later> later =
            new PriorityQueue<>(
                    Comparator.comparingLong((Later l) -> l.section.earliestNs())
                            .thenComparingInt(l -> l.index)
                            .thenComparingLong(l -> l.section.position()));

    private final List<GpvCache> caches = new ArrayList<>();
    private final List<String> fileNotes = new ArrayList<>();
    private volatile boolean stopped;

    private int opened;
    private int sinceFlush;
    private long newestNs = Long.MIN_VALUE;
    private long flushedNs = Long.MIN_VALUE;
    private long toldNs = Long.MIN_VALUE;

    /**
     * @param cache of all sections of the file
     */
    private record Later(SourceSpec input, int index, Section section, GpvCache cache) {}

    /**
     * Opens all files.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT, NOT_A_CAPTURE,
     *     OUT_OF_NATIVE_MEMORY; nothing stays open
     */
    public CaptureSource(List<SourceSpec> inputs, SourceContext context) {
        this(
                inputs,
                context,
                new CaptureStage(context.account(), context.config().latenessNs()),
                new CacheMetrics(),
                0);
    }

    /**
     * Makes one round of several: the counts go on.
     *
     * @param shiftNs is added to the packets' times
     */
    CaptureSource(
            List<SourceSpec> inputs,
            SourceContext context,
            CaptureStage stage,
            CacheMetrics metrics,
            long shiftNs) {
        this.context = context;
        this.latenessNs =
                inputs.stream()
                        .mapToLong(input -> input.config(context.config()).latenessNs())
                        .max()
                        .orElse(0);
        this.out = new PartitionedWriter(context.writers());
        this.pace = context.pace();
        this.stage = stage;
        this.metrics = metrics;
        this.shiftNs = shiftNs;
        context.writers().forEach(writer -> writer.overflow(context.overflow()));
        try {
            for (int i = 0; i < inputs.size(); i++) {
                open(inputs.get(i), i, inputs.size());
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void open(SourceSpec input, int index, int inputs) {
        NativeAllocator allocator = context.allocator();
        CacheConfig share = input.config(context.config()).cache().sharedBy(inputs);
        List<Section> sections = CaptureFile.sections(input.path());
        CaptureFile file = sections.size() > 1 ? null : CaptureFile.open(input.path(), allocator);
        try {
            GpvCache cache = new GpvCache(allocator, share, out, metrics);
            caches.add(cache);
            if (file == null) {
                sections.forEach(section -> later.add(new Later(input, index, section, cache)));
            } else {
                live.add(replay(file, input, index, cache));
            }
        } catch (RuntimeException e) {
            if (file != null) {
                file.close();
            }
            throw e;
        }
    }

    private FileReplay replay(CaptureFile file, SourceSpec input, int index, GpvCache cache) {
        int node = Symbols.id(input.node());
        long lateNs = input.config(context.config()).latenessNs();
        return new FileReplay(opened++, index, node, file, cache, stage, context, lateNs, shiftNs);
    }

    /** Opens the sections that may have the next packet. */
    private void openDue() {
        while (!later.isEmpty()
                && !stopped
                && (waiting.isEmpty() || laterNs() <= waiting.peek().nextNs())) {
            Later due = later.poll();
            CaptureFile file = CaptureFile.open(due.input.path(), due.section);
            FileReplay replay = replay(file, due.input, due.index, due.cache);
            live.add(replay);
            replay.start();
            queue(replay);
        }
    }

    /** Returns a time such that no packet of a section that is not open is older. */
    private long laterNs() {
        return later.isEmpty() ? Long.MAX_VALUE : later.peek().section.earliestNs() + shiftNs;
    }

    @Override
    public void run() {
        pass(ns -> {});
        end();
    }

    /**
     * Replays everything, or until {@link #stop}, and leaves the rings open.
     *
     * @param first gets the time of the first packet, if there is one, before it goes on
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT: a file was shortened
     *     meanwhile
     */
    void pass(LongConsumer first) {
        try {
            passAll(first);
        } catch (InternalError e) { // so the JVM reports that a mapped page is gone
            live.forEach(replay -> replay.file().checkMemory());
            throw e;
        }
    }

    private void passAll(LongConsumer first) {
        live.forEach(FileReplay::start);
        List.copyOf(live).forEach(this::queue);
        openDue();
        if (!waiting.isEmpty()) {
            out.begun(waiting.peek().nextNs());
            first.accept(waiting.peek().nextNs());
        }
        while (!waiting.isEmpty() && !stopped) {
            FileReplay replay = waiting.poll();
            hold(replay);
            out.source(replay.index, replay.nodeSymbol);
            replay(replay);
            queue(replay);
            openDue();
        }
        List.copyOf(live).forEach(this::end);
        if (newestNs != Long.MIN_VALUE) {
            out.watermark(newestNs - latenessNs); // a short capture has reported no time yet
        }
        tell();
    }

    /** Queues a file that has a packet ahead; waits for a pipe. */
    private void queue(FileReplay replay) {
        while (replay.isWaiting() && !stopped) {
            if (!replay.await(QUIET_NS)) {
                quiet(replay);
            }
        }
        if (replay.hasNext()) {
            waiting.add(replay);
        } else {
            end(replay);
        }
    }

    private void quiet(FileReplay replay) {
        boolean due = sinceFlush > 0 || replay.isLossUntold();
        if (pace.followsClock() && replay.newestNs() != Long.MIN_VALUE) {
            replay.beSilent();
            due |= replay.newestNs() - FLUSH_NS >= flushedNs;
        }
        if (replay.isLossUntold()) {
            lose(replay);
        }
        if (due) {
            flush(replay);
        }
    }

    /** Settles the times that the oldest packet ahead must not overtake. */
    private void hold(FileReplay first) {
        while (first.nextNs() >= pace.holdAtNs() && !stopped) {
            flush(first);
            pace.settle();
        }
    }

    private void replay(FileReplay replay) {
        if (replay.isLossUntold()) {
            lose(replay);
        }
        FileReplay other = waiting.peek();
        long nextNs = Math.min(other == null ? Long.MAX_VALUE : other.nextNs(), laterNs());
        long limitNs = nextNs == Long.MAX_VALUE ? nextNs : nextNs + SLICE_NS;
        int passed = FileReplay.BURST;
        while (passed == FileReplay.BURST && !stopped) {
            passed = replay.pass(Math.min(limitNs, pace.holdAtNs()));
            sinceFlush += passed;
            if (replay.isLossUntold()) {
                lose(replay);
            }
            if (sinceFlush >= FileReplay.BURST && isFlushDue(replay)) {
                flush(replay);
            }
        }
    }

    private boolean isFlushDue(FileReplay replay) {
        return sinceFlush >= MOST_PACKETS_A_FLUSH || replay.newestNs() - FLUSH_NS >= flushedNs;
    }

    /** Expires GPVs, each file's by its own time, and publishes the watermark. */
    private void flush(FileReplay current) {
        flush(current, pace.comeNs());
    }

    private void flush(FileReplay current, long comeNs) {
        long watermarkNs = laterNs();
        // It uses no iterator, because it runs for every few packets.
        for (int i = 0; i < live.size(); i++) {
            FileReplay replay = live.get(i);
            out.source(replay.index, replay.nodeSymbol);
            watermarkNs = Math.min(watermarkNs, replay.watermarkNs(comeNs));
            flushedNs = Math.max(flushedNs, replay.newestNs());
        }
        out.flush(watermarkNs);
        toldNs = Math.max(toldNs, watermarkNs);
        out.source(current.index, current.nodeSymbol);
        tell();
        sinceFlush = 0;
    }

    /** Reports a file's losses in the first window that is open when the file reports them. */
    private void lose(FileReplay replay) {
        if (replay.lostNs() != Long.MIN_VALUE) {
            flush(replay, Math.min(pace.comeNs(), replay.lostNs()));
        }
        boolean begun = replay.newestNs() != Long.MIN_VALUE;
        boolean passed = toldNs != Long.MIN_VALUE;
        long packets = replay.takeLost();
        long atNs = passed ? toldNs : replay.newestNs() - replay.latenessNs;
        long own = begun ? context.gate().lost(atNs, packets) : packets;
        out.lost(own);
        stage.drop(own);
    }

    private void end(FileReplay replay) {
        out.source(replay.index, replay.nodeSymbol);
        replay.flush();
        if (replay.isLossUntold()) {
            lose(replay);
        }
        newestNs = Math.max(newestNs, replay.newestNs());
        fileNotes.addAll(replay.file().notes());
        replay.file().checkMemory(); // the JVM may report a page that is gone some calls later
        live.remove(replay);
        replay.close();
    }

    /** Returns the time of the newest packet that was replayed; MIN_VALUE when there was none. */
    long newestNs() {
        return newestNs;
    }

    private void end() {
        out.end(newestNs);
        tell();
    }

    private void tell() {
        stage.tell(metrics.packets(), out.droppedPackets());
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public CacheMetrics metrics() {
        return metrics;
    }

    /** Returns sentences about files that were cut, and packets that were read in part. */
    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(fileNotes);
        notes.addAll(stage.notes());
        return notes;
    }

    /** Returns only the notes on files that were not read to their ends. */
    List<String> fileNotes() {
        return List.copyOf(fileNotes);
    }

    @Override
    public void close() {
        live.forEach(FileReplay::close);
        live.clear();
        caches.forEach(GpvCache::close);
        caches.clear();
    }
}
