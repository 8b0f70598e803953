package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.AccountTable;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the rows of SHOW ACCOUNT of a cluster. Each stage of each worker, each query there, and
 * each merge stage of each server has a row. The numbers come from the last heartbeats. Older
 * workers do not report each query; they have one sum for all. Older servers have no rows.
 */
final class AccountRows {
    static final List<String> HEADINGS = headings();

    private AccountRows() {}

    private static List<String> headings() {
        List<String> headings = new ArrayList<>(List.of("worker"));
        headings.addAll(AccountTable.HEADINGS);
        return List.copyOf(headings);
    }

    static List<List<String>> of(List<WorkerTable.Worker> workers, List<Heartbeat> servers) {
        List<List<String>> rows = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            Heartbeat beat = worker.beat();
            String name = WorkerRows.name(beat);
            stages(rows, name, beat);
            for (QueryState query : beat.getQueryList()) {
                if (query.hasCounts()) {
                    rows.add(row(name, "query:" + query.getName(), query.getCounts()));
                }
            }
        }
        servers.forEach(beat -> stages(rows, "merge of " + beat.getOwner(), beat));
        return rows;
    }

    private static void stages(List<List<String>> rows, String name, Heartbeat beat) {
        beat.getStageList().forEach(stage -> rows.add(row(name, stage.getName(), stage)));
    }

    private static List<String> row(String name, String stage, StageCounts counts) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(AccountTable.row(Pages.read(stage, counts)));
        return row;
    }
}
