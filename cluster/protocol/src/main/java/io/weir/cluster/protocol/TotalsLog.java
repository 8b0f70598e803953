package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.PartialReader;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RunningTotals;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.TotalsKeeper;
import io.weir.operators.result.WindowMerger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores running totals of an activation in the journal: the changes of each tick. When those have
 * become more than twice as large as the totals, the totals replace them. So writes are in
 * proportion to changes, and the store is in proportion to the totals. The merge's thread.
 */
final class TotalsLog implements TotalsKeeper {
    private static final long LEAST_BYTES = 1 << 20;

    private final ActivationId id;
    private final MergedQuery query;
    private MergeJournal journal;
    private final PartialWriter writer;

    /** The stored blocks, by tick, until they are added up. */
    private final TreeMap<Long, List<byte[]>> kept = new TreeMap<>();

    private boolean unread;
    private long changesBytes;
    private long totalsBytes;

    TotalsLog(ActivationId id, MergedQuery query, MergeJournal journal) {
        this.id = id;
        this.query = query;
        this.journal = journal;
        int bytes = PartialWriter.DEFAULT_BLOCK_BYTES;
        writer =
                query.counted
                        ? PartialWriter.counted(query.form, 1, 0, bytes)
                        : PartialWriter.of(query.form, query.code, 1, 0, bytes);
    }

    void keepIn(MergeJournal keeper) {
        journal = keeper;
    }

    /** Restores a block of a tick, in the stored order. */
    void restore(long endNs, byte[] block) {
        kept.computeIfAbsent(endNs, end -> new ArrayList<>()).add(block);
        changesBytes += block.length;
    }

    /** Notes that some of the stored blocks cannot be read. */
    void unread() {
        unread = true;
    }

    /**
     * Adds up the stored blocks. Blocks of another version of Weir, or of the query, cannot be
     * read. If that happens, or if there is no memory, totals begin again, and it is counted.
     *
     * @return whether they go on
     */
    boolean resume(
            WindowMerger merger, NativeAllocator allocator, long maxBytes, MergeCounts counts) {
        boolean goesOn = !unread;
        if (unread) {
            kept.clear();
        }
        try (PartialReader reader = new PartialReader(query.form, allocator)) {
            for (Map.Entry<Long, List<byte[]>> tick : kept.entrySet()) {
                for (List<byte[]> blocks : adding(tick.getKey(), tick.getValue())) {
                    try (Partial changes = query.code.newPartial(allocator, maxBytes)) {
                        blocks.forEach(block -> reader.read(block, changes));
                        merger.resume(changes);
                    }
                }
            }
        } catch (WeirException unreadable) {
            goesOn = false;
            counts.unread(unreadable);
        }
        if (!goesOn) {
            journal.totalsGone(id);
            changesBytes = 0;
        }
        kept.clear();
        merger.keep(this);
        return goesOn;
    }

    /**
     * The blocks that are added together: those of a tick, no two of which have a group. All
     * sources can come to their ends more than once, and each time has blocks of the same end.
     */
    private static List<List<byte[]>> adding(long endNs, List<byte[]> blocks) {
        return endNs == Long.MAX_VALUE ? blocks.stream().map(List::of).toList() : List.of(blocks);
    }

    @Override
    public void changes(long endNs, List<Partial> changes) {
        writer.write(
                changes,
                (shard, bytes) -> {
                    changesBytes += bytes.length;
                    journal.total(id, endNs, bytes);
                });
    }

    @Override
    public void added(long endNs, RunningTotals totals) {
        if (changesBytes > Math.max(LEAST_BYTES, 2 * totalsBytes)) {
            journal.totalsGone(id);
            changesBytes = 0;
            totalsBytes = 0;
            writer.write(
                    List.of(totals.whole()),
                    (shard, bytes) -> {
                        totalsBytes += bytes.length;
                        journal.total(id, endNs, bytes);
                    });
        }
    }
}
