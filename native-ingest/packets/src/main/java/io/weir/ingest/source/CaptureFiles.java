package io.weir.ingest.source;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.GpvCache;
import io.weir.ingest.cache.PartitionedWriter;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.FollowedCaptures;
import io.weir.ingest.capture.Section;
import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The open files of a source with their caches. A file of several sections has one cache. Each of
 * its sections is opened when its time has come. One thread.
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

    private final List<GpvCache> caches = new ArrayList<>();
    private int opened;
    private long floorNs = Long.MIN_VALUE;

    /**
     * A section that is not open yet.
     *
     * @param cache of all sections of the file
     */
    private record Later(SourceSpec input, int index, Section section, GpvCache cache) {}

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

    /** Opens all; if one cannot be opened, nothing stays open. */
    void open(List<SourceSpec> inputs, CacheMetrics metrics) {
        try {
            for (int i = 0; i < inputs.size(); i++) {
                SourceConfig config = inputs.get(i).config(context.config());
                open(inputs.get(i), i, config.cache().sharedBy(inputs.size()), metrics);
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
        NativeAllocator allocator = context.allocator();
        if (PcapOptions.of(input).follow()) {
            open(input, index, share, metrics, follow(input));
            return;
        }
        List<Section> sections = Captures.sections(input.path());
        CaptureFile file = sections.size() > 1 ? null : Captures.open(input.path(), allocator);
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

    /** Returns whether a section that is not open may have a packet before or at this time. */
    boolean isSectionDue(long nextNs) {
        return !later.isEmpty() && laterNs() <= nextNs;
    }

    /** Opens the next section. */
    FileReplay openSection() {
        Later due = later.remove();
        CaptureFile file = Captures.open(due.input.path(), due.section);
        FileReplay replay = replay(file, due.input, due.index, due.cache);
        live.add(replay);
        replay.start();
        return replay;
    }

    /** Returns a time such that no packet of a section that is not open is older. */
    long laterNs() {
        return later.isEmpty() ? Long.MAX_VALUE : later.peek().section.earliestNs() + shiftNs;
    }

    /** Closes a file that has ended. */
    void close(FileReplay replay) {
        live.remove(replay);
        replay.close();
    }

    @Override
    public void close() {
        live.forEach(FileReplay::close);
        live.clear();
        caches.forEach(GpvCache::close);
        caches.clear();
    }
}
