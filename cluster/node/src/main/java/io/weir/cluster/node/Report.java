package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The results of a replay besides its rows.
 *
 * @param stages the account
 * @param notes sentences about the files: which were cut, and where
 * @param failures of queries that ended before the files did
 * @param bindings that count at the end, as SHOW BINDINGS shows them
 * @param tables the lookup tables that queries read
 * @param rates the work of the queries
 */
public record Report(
        List<Stage.Snapshot> stages,
        List<String> notes,
        List<WeirException> failures,
        List<List<String>> bindings,
        List<TableNote> tables,
        List<QueryRate> rates) {
    /** The stages that a packet meets first; the engine is built before its source. */
    private static final List<String> FIRST = List.of("capture", "cache", "blocks", "pipeline");

    public Report {
        stages = stages.stream().sorted(Comparator.comparingInt(Report::place)).toList();
        notes = List.copyOf(notes);
        failures = List.copyOf(failures);
        bindings = List.copyOf(bindings);
        tables = List.copyOf(tables);
        rates = List.copyOf(rates);
    }

    /** Makes the report of a run without bindings and lookup tables. */
    public Report(List<Stage.Snapshot> stages, List<String> notes, List<WeirException> failures) {
        this(stages, notes, failures, List.of(), List.of(), List.of());
    }

    private static int place(Stage.Snapshot stage) {
        int place = FIRST.indexOf(stage.stage());
        return place < 0 ? FIRST.size() : place;
    }

    /** Returns the report with further pages of the account. */
    public Report with(List<Stage.Snapshot> more) {
        List<Stage.Snapshot> all = new ArrayList<>(stages);
        all.addAll(more);
        return new Report(all, notes, failures, bindings, tables, rates);
    }

    /** For a run of one query: throws the reason why it ended, if it did. */
    void throwFailure() {
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    public boolean isBalanced() {
        return stages.stream().allMatch(Stage.Snapshot::isBalanced);
    }
}
