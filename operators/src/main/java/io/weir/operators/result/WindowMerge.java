package io.weir.operators.result;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.RunningTotals;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Merge and post of one activation: gathers the pipelines' partials by window, merges them where
 * the query's keys ask for it, and turns a window that is complete into rows. It does not know when
 * one is: {@link ResultStage} does. Partials are native memory, so that the allocator's limit
 * bounds what waits here. One thread at a time.
 */
final class WindowMerge implements AutoCloseable {
    private final CompiledQuery code;
    private final int pipelines;
    private final boolean merges;
    private final long activeFromNs;
    private final RunningTotals totals;
    private final StreamLimit limit;
    private final NativeAllocator allocator;
    private final TreeMap<Long, Waiting> windows = new TreeMap<>();

    /** Partials are merged by the pipelines' numbers, whoever came first. */
    private static final class Waiting {
        private final long startNs;
        private final Partial[] partials;
        private long lost;
        private long processed;

        Waiting(long startNs, int pipelines) {
            this.startNs = startNs;
            partials = new Partial[pipelines];
        }

        List<Partial> parts() {
            return Stream.of(partials).filter(Objects::nonNull).toList();
        }
    }

    /**
     * @param merges whether two pipelines' partials can have groups in common; else they are
     *     gathered, and finished as they are
     * @param totals null but for totals that come in ticks; closed with this
     */
    WindowMerge(
            CompiledQuery code,
            int pipelines,
            boolean merges,
            long activeFromNs,
            RunningTotals totals,
            NativeAllocator allocator) {
        this.code = code;
        this.pipelines = pipelines;
        this.merges = merges;
        this.activeFromNs = activeFromNs;
        this.totals = totals;
        this.limit = code.newStreamLimit();
        this.allocator = allocator;
    }

    void add(ClosedWindow closed) {
        Waiting waiting =
                windows.computeIfAbsent(
                        closed.endNs(), end -> new Waiting(closed.startNs(), pipelines));
        Partial earlier = waiting.partials[closed.pipeline()];
        waiting.partials[closed.pipeline()] =
                earlier == null ? closed.partial() : code.merge(earlier, closed.partial());
        waiting.lost += closed.lost();
        waiting.processed += closed.processed();
    }

    boolean isEmpty() {
        return windows.isEmpty();
    }

    /** End of the earliest window that waits. */
    long firstEndNs() {
        return windows.firstKey();
    }

    /** The rows of the earliest window, which may be none; the caller's to close. */
    RowBatch removeFirst() {
        long endNs = windows.firstKey();
        Waiting waiting = windows.remove(endNs);
        List<Partial> parts = waiting.parts();
        if (merges) {
            parts = List.of(merge(parts));
        }
        if (totals != null) {
            parts.forEach(totals::add);
        }
        try {
            RowBatch batch =
                    code.finish(parts, waiting.startNs, endNs, context(waiting), allocator);
            return limit.apply(batch);
        } finally {
            parts.forEach(Partial::close);
        }
    }

    private Partial merge(List<Partial> parts) {
        Partial merged = parts.get(0);
        for (Partial part : parts.subList(1, parts.size())) {
            merged = code.merge(merged, part);
        }
        return merged;
    }

    private RowContext context(Waiting waiting) {
        double offered = (double) waiting.processed + waiting.lost;
        double completeness = waiting.lost == 0 ? 1 : waiting.processed / offered;
        return new RowContext(waiting.lost, completeness, activeFromNs);
    }

    /** Frees what waits, unseen. */
    @Override
    public void close() {
        for (Waiting waiting : windows.values()) {
            waiting.parts().forEach(Partial::close);
        }
        windows.clear();
        if (totals != null) {
            totals.close();
        }
    }
}
