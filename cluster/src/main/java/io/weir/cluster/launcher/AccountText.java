package io.weir.cluster.launcher;

import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import io.weir.operators.account.Stage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The closing account for people: a line for each stage, reasons that occurred with their counts.
 */
final class AccountText {
    private static final List<String> HEADINGS =
            List.of("stage", "offered", "processed", "lost", "excluded");
    private static final List<Boolean> RIGHT = List.of(false, true, true, false, false);

    private AccountText() {}

    static void print(TextOut out, List<Stage.Snapshot> stages) {
        TextTable.print(out, HEADINGS, RIGHT, stages.stream().map(AccountText::row).toList());
    }

    private static List<String> row(Stage.Snapshot stage) {
        return List.of(
                stage.stage(),
                Long.toString(stage.offered()),
                Long.toString(stage.processed()),
                reasons(stage.lost()),
                reasons(stage.excluded()));
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
