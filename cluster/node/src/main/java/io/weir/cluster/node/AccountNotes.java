package io.weir.cluster.node;

import io.weir.operators.account.Stage;
import java.util.ArrayList;
import java.util.List;

/** Makes notes on values that rows lack, with the remedy. Stateless. */
final class AccountNotes {
    private AccountNotes() {}

    static List<String> of(List<Stage.Snapshot> stages) {
        List<String> notes = new ArrayList<>();
        for (Stage.Snapshot stage : stages) {
            String name = stage.stage().substring(stage.stage().indexOf(':') + 1);
            long beyond = stage.lost().getOrDefault("beyond_64_bits", 0L);
            long full = stage.lost().getOrDefault("state_full", 0L);
            if (beyond > 0) {
                notes.add(
                        name
                                + ": "
                                + beyond
                                + " sums left 64 bits and are NULL; SUM(1e0 * x) is a DOUBLE");
            }
            if (full > 0) {
                notes.add(
                        name
                                + ": "
                                + full
                                + " packets found no room for their groups; the column undercount"
                                + " tells how many a row may lack");
            }
        }
        return notes;
    }
}
