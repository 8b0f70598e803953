package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import io.weir.operators.node.QueryCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the lines of EXPLAIN ANALYZE that follow the plan. Cold; stateless. */
public final class QueryAnalysis {
    private QueryAnalysis() {}

    /**
     * Returns the lines of one query at one place.
     *
     * @param rates of all queries there
     * @param stages of the account there
     */
    public static List<List<String>> lines(
            String query, List<QueryRate> rates, List<Stage.Snapshot> stages) {
        List<List<String>> lines = new ArrayList<>();
        rates.stream()
                .filter(rate -> rate.cost().query().equals(query))
                .forEach(rate -> work(lines, rate));
        stages.stream().filter(stage -> isOf(stage, query)).forEach(stage -> losses(lines, stage));
        return lines;
    }

    private static boolean isOf(Stage.Snapshot stage, String query) {
        return stage.stage().substring(stage.stage().indexOf(':') + 1).equals(query);
    }

    private static void work(List<List<String>> lines, QueryRate rate) {
        QueryCost cost = rate.cost();
        add(
                lines,
                "in the last %.1f s: %.0f packets/s tested, %.2f rows/s, %.2f %% of a core",
                rate.seconds(),
                rate.packetsPerS(),
                rate.rowsPerS(),
                100 * rate.coreShare());
        if (rate.isShared()) {
            add(lines, "kernel: shared, counted under %s", cost.stateOf());
        } else if (cost.kernelPackets() > 0) {
            add(
                    lines,
                    "kernel: %.2f ns a packet; closing windows: %.2f ns a packet"
                            + " (%d packets sampled)",
                    cost.kernelNsPerPacket(),
                    cost.advanceNsPerPacket(),
                    cost.kernelPackets());
            add(
                    lines,
                    "state: %d bytes, at most %d on one pipeline",
                    cost.stateBytes(),
                    cost.mostBytes());
        }
        if (cost.rows() > 0) {
            add(
                    lines,
                    "rows: %d, %.0f ns each to merge, finish and give out",
                    cost.rows(),
                    cost.nsPerRow());
        }
    }

    private static void losses(List<List<String>> lines, Stage.Snapshot stage) {
        add(
                lines,
                "%s: %d offered, %d processed",
                stage.stage(),
                stage.offered(),
                stage.processed());
        for (List<String> loss : LossTable.rows(List.of(stage))) {
            add(lines, "  %s %s: %s", loss.get(2), loss.get(1), loss.get(3));
        }
    }

    private static void add(List<List<String>> lines, String format, Object... values) {
        lines.add(List.of(String.format(Locale.ROOT, format, values)));
    }
}
