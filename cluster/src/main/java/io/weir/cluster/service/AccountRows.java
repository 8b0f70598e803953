package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.AccountTable;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import io.weir.operators.account.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * SHOW ACCOUNT of a cluster: a row for each stage of each worker, and for each query there, as its
 * last heartbeats say. Workers of releases that do not tell what each query has counted have the
 * sum of all.
 */
final class AccountRows {
    static final List<String> HEADINGS = headings();

    private AccountRows() {}

    private static List<String> headings() {
        List<String> headings = new ArrayList<>(List.of("worker"));
        headings.addAll(AccountTable.HEADINGS);
        return List.copyOf(headings);
    }

    static List<List<String>> of(List<WorkerTable.Worker> workers) {
        List<List<String>> rows = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            Heartbeat beat = worker.beat();
            beat.getStageList().forEach(stage -> rows.add(row(beat, stage.getName(), stage)));
            for (QueryState query : beat.getQueryList()) {
                if (query.hasCounts()) {
                    rows.add(row(beat, "query:" + query.getName(), query.getCounts()));
                }
            }
        }
        return rows;
    }

    private static List<String> row(Heartbeat beat, String stage, StageCounts counts) {
        List<String> row = new ArrayList<>(List.of(WorkerRows.name(beat)));
        row.addAll(
                AccountTable.row(
                        new Stage.Snapshot(
                                stage,
                                counts.getOffered(),
                                counts.getProcessed(),
                                counts.getLostMap(),
                                counts.getExcludedMap())));
        return row;
    }
}
