package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import java.util.List;

/**
 * What a replay leaves behind besides its rows.
 *
 * @param stages the account
 * @param notes sentences about the files: which were cut, and where
 */
public record Report(List<Stage.Snapshot> stages, List<String> notes) {
    public Report {
        stages = List.copyOf(stages);
        notes = List.copyOf(notes);
    }

    public boolean isBalanced() {
        return stages.stream().allMatch(Stage.Snapshot::isBalanced);
    }
}
