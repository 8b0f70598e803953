package io.weir.cluster.launcher;

import io.weir.cluster.node.TableNote;
import io.weir.cluster.sink.JsonText;
import io.weir.operators.account.Stage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes the account as JSON for {@code --stats}: {@code {"stages": [{"stage", "offered",
 * "processed", "lost": {reason: n}, "excluded": {reason: n}, "in_part": {reason: n}}]}}. Reasons
 * that never occurred are there with 0, so that a reader sees all counters; {@code in_part} is
 * there if packets were read in part. If queries read lookup tables, these follow.
 */
final class AccountJson {
    private AccountJson() {}

    static String of(List<Stage.Snapshot> stages, List<TableNote> tables) {
        return stages.stream()
                .map(AccountJson::stage)
                .collect(
                        Collectors.joining(
                                ",\n  ", "{\"stages\": [\n  ", "\n]" + tables(tables) + "}\n"));
    }

    private static String tables(List<TableNote> tables) {
        return tables.isEmpty()
                ? ""
                : tables.stream()
                        .map(AccountJson::table)
                        .collect(Collectors.joining(",\n  ", ",\n\"tables\": [\n  ", "\n]"));
    }

    private static String table(TableNote table) {
        return "{\"table\": "
                + JsonText.quote(table.name())
                + ", \"rows\": "
                + table.rows()
                + ", \"sha256\": "
                + JsonText.quote(table.hash())
                + "}";
    }

    private static String stage(Stage.Snapshot stage) {
        return "{\"stage\": "
                + JsonText.quote(stage.stage())
                + ", \"offered\": "
                + stage.offered()
                + ", \"processed\": "
                + stage.processed()
                + ", \"lost\": "
                + reasons(stage.lost())
                + ", \"excluded\": "
                + reasons(stage.excluded())
                + (stage.inPart().isEmpty() ? "" : ", \"in_part\": " + reasons(stage.inPart()))
                + "}";
    }

    private static String reasons(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> JsonText.quote(entry.getKey()) + ": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
