package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the rows of SHOW LOSS: what rows lack, why, and the remedy. Stateless. */
public final class LossTable {
    /** The columns of one machine; in a cluster the place comes first. */
    public static final List<String> HEADINGS = List.of("stage", "reason", "n", "remedy");

    public static final Set<String> NUMBERS = Set.of("n");

    /** Reasons to leave packets out that lower completeness. */
    private static final Set<String> LEFT_OUT = Set.of("late", "future");

    private LossTable() {}

    public static List<List<String>> rows(List<Stage.Snapshot> stages) {
        List<List<String>> rows = new ArrayList<>();
        for (Stage.Snapshot stage : stages) {
            add(rows, stage.stage(), stage.lost());
            stage.excluded()
                    .forEach(
                            (reason, n) -> {
                                if (LEFT_OUT.contains(reason)) {
                                    add(rows, stage.stage(), Map.of(reason, n));
                                }
                            });
        }
        return rows;
    }

    private static void add(List<List<String>> rows, String stage, Map<String, Long> reasons) {
        reasons.forEach(
                (reason, n) -> {
                    if (n > 0) {
                        rows.add(List.of(stage, reason, Long.toString(n), Remedies.of(reason)));
                    }
                });
    }

    /** Returns the rows of a place in a cluster. */
    public static List<List<String>> rows(String place, List<Stage.Snapshot> stages) {
        List<List<String>> rows = new ArrayList<>();
        for (List<String> row : rows(stages)) {
            List<String> placed = new ArrayList<>(List.of(place));
            placed.addAll(row);
            rows.add(placed);
        }
        return rows;
    }
}
