package io.weir.operators.account;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The ledger of a run: its stages in the order in which a packet meets them. Any thread. */
public final class Account {
    private final List<Stage> stages = new CopyOnWriteArrayList<>();

    /** Adds a page at the end of the ledger. Snapshots add pages of the same name up. */
    public Stage stage(String name) {
        Stage stage = new Stage(name);
        stages.add(stage);
        return stage;
    }

    /** One snapshot for each name, in the order of the names' first stages. */
    public List<Stage.Snapshot> snapshot() {
        Map<String, Stage.Snapshot> byName = new LinkedHashMap<>();
        for (Stage stage : stages) {
            byName.merge(stage.name(), stage.snapshot(), Stage.Snapshot::plus);
        }
        return new ArrayList<>(byName.values());
    }

    /** Returns whether every stage's invariant holds. All threads must be at rest. */
    public boolean isBalanced() {
        return snapshot().stream().allMatch(Stage.Snapshot::isBalanced);
    }
}
