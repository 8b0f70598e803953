package io.weir.cluster.merge;

import io.weir.operators.account.Stage;
import io.weir.operators.merge.MergeCounts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the merge was given and what became of it, as stages of an account. Stateless. */
final class MergeStages {
    private MergeStages() {}

    /** Of all shards of an instance together, since it began. */
    static List<Stage.Snapshot> of(MergeMetrics metrics) {
        long malformed = metrics.malformed();
        Stage.Snapshot parcels =
                new Stage.Snapshot(
                        "merge parcels", malformed, 0, Map.of("malformed", malformed), Map.of());
        Stage.Snapshot windows = new Stage.Snapshot("merge windows", 0, 0, Map.of(), Map.of());
        for (MergeCounts counts : metrics.tasks().values()) {
            parcels = parcels.plus(parcels(counts));
            windows = windows.plus(windows(counts));
        }
        return List.of(parcels, windows);
    }

    /** Those that never came are known by the gaps that they leave. */
    static Stage.Snapshot parcels(MergeCounts counts) {
        Map<String, Long> lost = new TreeMap<>();
        lost.put("missing", counts.missing().get());
        lost.put("unread", counts.unread().get());
        lost.put("unknown_query", counts.unknown().get());
        Map<String, Long> excluded = Map.of("duplicate", counts.duplicates().get());
        long unprocessed =
                lost.get("unread") + lost.get("unknown_query") + excluded.get("duplicate");
        // What an instance before has kept did not come to this one, and may be lost here.
        long came = Math.max(counts.parcels().get(), unprocessed);
        return new Stage.Snapshot(
                "merge parcels", came + lost.get("missing"), came - unprocessed, lost, excluded);
    }

    private static Stage.Snapshot windows(MergeCounts counts) {
        long unmade = counts.unmadeWindows().get();
        long all = counts.finalWindows().get();
        return new Stage.Snapshot(
                "merge windows", all, all - unmade, Map.of("no_memory", unmade), Map.of());
    }
}
