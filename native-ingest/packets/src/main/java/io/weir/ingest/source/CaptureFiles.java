package io.weir.ingest.source;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.CapturePath;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.FollowedCaptures;
import io.weir.ingest.capture.Section;
import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.graph.Symbols;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The open files of a source with their caches. Each of several files is opened when its first
 * packet is due, so that a folder may have more files than fit in memory. A pcapng file of several
 * sections has one cache, and its sections are opened so. One thread.
 */
final class CaptureFiles implements AutoCloseable {
    private final SourceContext context;
    private final PartitionedWriter out;
    private final CaptureStage stage;
    private final long shiftNs;
    private final boolean mayUseC;

    /** Files that have not ended. */
    private final List<FileReplay> live = new ArrayList<>();

    private final PriorityQueue<Later> later =
            new PriorityQueue<>(
                    Comparator.comparingLong((Later l) -> l.section.earliestNs())
                            .thenComparingInt(l -> l.index)
                            .thenComparingLong(l -> l.section.position()));

    /** They stay until the source is closed. */
    private final List<GpvCache> caches = new ArrayList<>();

    /** The caches of whole files, with their slots. */
    private final IdentityHashMap<GpvCache, Integer> ownCaches = new IdentityHashMap<>();

    /** Whole files in {@link #later}: their later packets may be older than their first. */
    private int filesLater;

    private int inputs;
    private int opened;
    private long floorNs = Long.MIN_VALUE;

    /**
     * A file or a section that is not open yet.
     *
     * @param cacheOrNull of all sections of the file; a whole file gets one when it is opened
     */
    private record Later(SourceSpec input, int index, Section section, GpvCache cacheOrNull) {}

    /** Opens nothing yet. */
    CaptureFiles(
            SourceContext context,
            PartitionedWriter out,
            CaptureStage stage,
            long shiftNs,
            boolean mayUseC) {
        this.context = context;
        this.out = out;
        this.stage = stage;
        this.shiftNs = shiftNs;
        this.mayUseC = mayUseC;
    }

    /** Opens all, or looks at their first packets; if one cannot be, nothing stays open. */
    void open(List<SourceSpec> all, CacheMetrics metrics) {
        inputs = all.size();
        try {
            for (int i = 0; i < inputs; i++) {
                SourceConfig config = all.get(i).config(context.config());
                open(all.get(i), i, config.cache().sharedBy(inputs), metrics);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Adds a receive queue; if that fails, nothing stays open. */
    void open(SourceSpec input, PacketCursor queue, CacheMetrics metrics) {
        try {
            open(input, 0, input.config(context.config()).cache(), metrics, queue);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void open(SourceSpec input, int index, CacheConfig share, CacheMetrics metrics) {
        if (PcapOptions.of(input).follow()) {
            open(input, index, share, metrics, follow(input));
            return;
        }
        List<Section> sections = Captures.sections(input.path());
        if (sections.size() > 1) {
            GpvCache cache = new GpvCache(context.allocator(), share, out, metrics);
            caches.add(cache);
            sections.forEach(section -> later.add(new Later(input, index, section, cache)));
        } else if (inputs > 1 && !CapturePath.isPipe(input.path())) {
            Section whole = sections.get(0).from(FirstPacket.passesNs(input.path()));
            later.add(new Later(input, index, whole, null));
            filesLater++;
        } else {
            CaptureFile file = Captures.open(input.path(), context.allocator());
            open(input, index, share, metrics, file);
        }
    }

    private FollowedCaptures follow(SourceSpec input) {
        FollowedCaptures files =
                new FollowedCaptures(input.path(), context.account().stage("files"));
        files.awaitFirst();
        return files;
    }

    private void open(
            SourceSpec input,
            int index,
            CacheConfig share,
            CacheMetrics metrics,
            PacketCursor frames) {
        try {
            GpvCache cache = new GpvCache(context.allocator(), share, out, metrics);
            caches.add(cache);
            live.add(replay(frames, input, index, cache));
        } catch (RuntimeException e) {
            frames.close();
            throw e;
        }
    }

    /** All packets from now on are as old as this, or late. */
    void notBefore(long ns) {
        floorNs = ns;
        live.forEach(replay -> replay.comeAfter(ns));
    }

    private FileReplay replay(PacketCursor file, SourceSpec input, int index, GpvCache cache) {
        int node = Symbols.id(input.node());
        long lateNs = input.config(context.config()).latenessNs();
        FileReplay replay =
                new FileReplay(
                        opened++, index, node, file, cache, out, stage, context, lateNs, shiftNs,
                        mayUseC);
        replay.comeAfter(floorNs);
        return replay;
    }

    /** Returns the files that are open. */
    List<FileReplay> live() {
        return live;
    }

    /** Returns whether a file or section that is not open may have a packet up to this time. */
    boolean isLaterDue(long nextNs) {
        return !later.isEmpty() && laterNs() <= nextNs;
    }

    /** Opens the next file or section. */
    FileReplay openLater(CacheMetrics metrics) {
        Later due = later.remove();
        CaptureFile file = Captures.open(due.input.path(), due.section);
        try {
            GpvCache cache = due.cacheOrNull == null ? ownCache(due, metrics) : due.cacheOrNull;
            FileReplay replay = replay(file, due.input, due.index, cache);
            live.add(replay);
            replay.start();
            return replay;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Gives a file half of the slots that are free: mostly one follows the other. */
    private GpvCache ownCache(Later due, CacheMetrics metrics) {
        filesLater--;
        CacheConfig all = due.input.config(context.config()).cache();
        int taken = ownCaches.values().stream().mapToInt(Integer::intValue).sum();
        int half = Math.max(1, (all.slots() - taken) / 2);
        CacheConfig share = all.sharedBy(Math.min(inputs, all.slots() / half));
        GpvCache cache = new GpvCache(context.allocator(), share, out, metrics);
        ownCaches.put(cache, share.slots());
        return cache;
    }

    /** Returns a time such that no first packet of a file that is not open is older. */
    long laterNs() {
        long earliestNs = later.isEmpty() ? Long.MAX_VALUE : later.peek().section.earliestNs();
        boolean isBound = earliestNs != Long.MIN_VALUE && earliestNs != Long.MAX_VALUE;
        return isBound ? earliestNs + shiftNs : earliestNs;
    }

    /**
     * Returns a time such that no packet of a file that is not open is older, and not late.
     *
     * @param latenessNs the longest of all files
     */
    long laterWatermarkNs(long latenessNs) {
        long ns = laterNs();
        return filesLater == 0 || ns == Long.MIN_VALUE ? ns : ns - latenessNs;
    }

    /** Closes a file that has ended. */
    void close(FileReplay replay) {
        live.remove(replay);
        replay.close();
        if (ownCaches.remove(replay.cache()) != null) {
            replay.cache().close();
        }
    }

    @Override
    public void close() {
        live.forEach(FileReplay::close);
        live.clear();
        caches.forEach(GpvCache::close);
        caches.clear();
        ownCaches.keySet().forEach(GpvCache::close);
        ownCaches.clear();
    }
}
