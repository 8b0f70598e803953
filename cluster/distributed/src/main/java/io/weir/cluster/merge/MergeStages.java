package io.weir.cluster.merge;

import io.weir.cluster.protocol.MergeCounts;
import io.weir.operators.account.Stage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Shows the merge's input and its outcome as stages of an account. Stateless. */
final class MergeStages {
    private MergeStages() {}

    /** Returns the counts of all shards of an instance since its begin. */
    static List<Stage.Snapshot> of(MergeMetrics metrics) {
        long malformed = metrics.malformed();
        Stage.Snapshot messages =
                new Stage.Snapshot(
                        "merge parcels", malformed, 0, Map.of("malformed", malformed), Map.of());
        Stage.Snapshot parts = new Stage.Snapshot("merge parts", 0, 0, Map.of(), Map.of());
        Stage.Snapshot windows = new Stage.Snapshot("merge windows", 0, 0, Map.of(), Map.of());
        Stage.Snapshot topk = new Stage.Snapshot("merge topk", 0, 0, Map.of(), Map.of());
        Stage.Snapshot store = new Stage.Snapshot("merge store", 0, 0, Map.of(), Map.of());
        Stage.Snapshot sums = new Stage.Snapshot("merge sums", 0, 0, Map.of(), Map.of());
        Stage.Snapshot over = new Stage.Snapshot("merge over", 0, 0, Map.of(), Map.of());
        Stage.Snapshot bound = new Stage.Snapshot("merge bindings", 0, 0, Map.of(), Map.of());
        for (MergeCounts counts : metrics.tasks().values()) {
            messages = messages.plus(messages(counts));
            parts = parts.plus(parts(counts));
            windows = windows.plus(windows(counts));
            topk = topk.plus(topk(counts));
            store = store.plus(store(counts));
            sums = sums.plus(sums(counts));
            over = over.plus(over(counts));
            bound = bound.plus(bindings(counts));
        }
        Stream<Stage.Snapshot> always = Stream.of(messages, parts, windows, topk, store);
        Stream<Stage.Snapshot> some =
                Stream.of(sums, over, bound).filter(page -> page.offered() > 0);
        return Stream.concat(always, some).toList();
    }

    /** Parcels that never came are counted by the gaps in their numbers. */
    static Stage.Snapshot messages(MergeCounts counts) {
        Map<String, Long> lost = new TreeMap<>();
        lost.put("missing", counts.missing().get());
        lost.put("unread", counts.unread().get());
        lost.put("unknown_query", counts.unknown().get());
        Map<String, Long> excluded = Map.of("duplicate", counts.duplicates().get());
        long unprocessed =
                lost.get("unread") + lost.get("unknown_query") + excluded.get("duplicate");
        // A message that an earlier instance had stored did not come to this one, but may be lost
        // here.
        long came = Math.max(counts.messages().get(), unprocessed);
        return new Stage.Snapshot(
                "merge parcels", came + lost.get("missing"), came - unprocessed, lost, excluded);
    }

    private static Stage.Snapshot windows(MergeCounts counts) {
        long unmade = counts.unmadeWindows().get();
        long all = counts.finalWindows().get();
        return new Stage.Snapshot(
                "merge windows", all, all - unmade, Map.of("no_memory", unmade), Map.of());
    }

    /** Counts the windows of one worker, or shard, once their outcome is known. */
    private static Stage.Snapshot parts(MergeCounts counts) {
        long handed = counts.handedWindows().get();
        Map<String, Long> lost = new TreeMap<>();
        lost.put("late", counts.lateWindows().get());
        lost.put("cut", counts.cutWindows().get());
        lost.put("replaced", counts.replacedWindows().get());
        Map<String, Long> excluded = Map.of("dropped", counts.droppedWindows().get());
        return decided("merge parts", handed, lost, excluded);
    }

    /** Counts the packets of windows in which only the heaviest groups stay. */
    private static Stage.Snapshot topk(MergeCounts counts) {
        Map<String, Long> lost = Map.of("no_memory", counts.withoutRoomPackets().get());
        return decided("merge topk", counts.keptPackets().get(), lost, Map.of());
    }

    /** Counts the sums of rows that are NULL. */
    private static Stage.Snapshot sums(MergeCounts counts) {
        Map<String, Long> lost = Map.of("beyond_64_bits", counts.sumsBeyond().get());
        return decided("merge sums", 0, lost, Map.of());
    }

    /** Counts the partitions that OVER has forgotten. */
    private static Stage.Snapshot over(MergeCounts counts) {
        Map<String, Long> lost = Map.of("forgotten", counts.forgotten().get());
        return decided("merge over", 0, lost, Map.of());
    }

    /** Counts what became of rows that begin bindings, where the merge tests them. */
    private static Stage.Snapshot bindings(MergeCounts counts) {
        Map<String, Long> lost = new TreeMap<>();
        lost.put("set_full", counts.bindingsRefused().get());
        lost.put("rows_forgotten", counts.bindingRowsForgotten().get());
        lost.values().removeIf(count -> count == 0);
        return decided("merge bindings", counts.bindings().get(), lost, Map.of());
    }

    /** Counts the records that a start has found in its store and read. */
    static Stage.Snapshot store(MergeCounts counts) {
        Map<String, Long> lost = Map.of("unread", counts.keptUnread().get());
        return decided("merge store", counts.kept().get(), lost, Map.of());
    }

    private static Stage.Snapshot decided(
            String name, long processed, Map<String, Long> lost, Map<String, Long> excluded) {
        Stage.Snapshot one = new Stage.Snapshot(name, 0, processed, lost, excluded);
        long left = excluded.values().stream().mapToLong(Long::longValue).sum();
        return new Stage.Snapshot(
                name, processed + one.lostInAll() + left, processed, lost, excluded);
    }
}
