package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prints an account for people: a row for each stage, and reasons that occurred with their counts.
 */
public final class AccountTable {
    public static final List<String> HEADINGS =
            List.of("stage", "offered", "processed", "lost", "excluded", "in_part");

    /** The columns that are numbers. */
    public static final Set<String> NUMBERS = Set.of("offered", "processed");

    private AccountTable() {}

    public static List<List<String>> rows(List<Stage.Snapshot> stages) {
        return stages.stream().map(AccountTable::row).toList();
    }

    public static List<String> row(Stage.Snapshot stage) {
        return List.of(
                stage.stage(),
                Long.toString(stage.offered()),
                Long.toString(stage.processed()),
                reasons(stage.lost()),
                reasons(stage.excluded()),
                reasons(stage.inPart()));
    }

    private static String reasons(Map<String, Long> counts) {
        String text =
                counts.entrySet().stream()
                        .filter(entry -> entry.getValue() != 0)
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
        return text.isEmpty() ? "0" : text;
    }
}
