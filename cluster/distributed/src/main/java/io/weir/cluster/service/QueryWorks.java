package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.CostTable;
import io.weir.cluster.node.LossTable;
import io.weir.cluster.node.QueryAnalysis;
import io.weir.cluster.node.QueryRate;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.QueryWork;
import io.weir.operators.account.Stage;
import io.weir.operators.node.QueryCost;
import java.util.ArrayList;
import java.util.List;

/** Makes the listings of a cluster that tell the work and the losses of queries. Stateless. */
final class QueryWorks {
    /** The columns of SHOW QUERY COST of a cluster. */
    static final List<String> COSTS = withFirst("worker", CostTable.HEADINGS);

    /** The columns of SHOW LOSS of a cluster. */
    static final List<String> LOSSES = withFirst("worker", LossTable.HEADINGS);

    private static final String ALL_QUERIES = "queries";

    private QueryWorks() {}

    private static List<String> withFirst(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return List.copyOf(all);
    }

    private static QueryRate rate(String query, QueryWork work) {
        QueryCost cost =
                new QueryCost(
                        query,
                        work.getStateOf().isEmpty() ? query : work.getStateOf(),
                        work.getKernelNs(),
                        work.getKernelPackets(),
                        work.getAdvanceNs(),
                        work.getRows(),
                        work.getRowsNs(),
                        work.getStateBytes(),
                        work.getMostBytes());
        return new QueryRate(
                cost,
                work.getSeconds(),
                work.getPacketsPerS(),
                work.getRowsPerS(),
                work.getCoreShare());
    }

    /** Returns the rows of SHOW QUERY COST. */
    static List<List<String>> costs(List<WorkerTable.Worker> workers) {
        List<List<String>> rows = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            String name = WorkerRows.name(worker.beat());
            rates(worker.beat()).forEach(rate -> rows.add(CostTable.row(name, rate)));
        }
        return rows;
    }

    private static List<QueryRate> rates(Heartbeat beat) {
        return beat.getQueryList().stream()
                .filter(QueryState::hasWork)
                .map(query -> rate(query.getName(), query.getWork()))
                .toList();
    }

    /** Returns the rows of SHOW LOSS. */
    static List<List<String>> losses(List<WorkerTable.Worker> workers, List<Heartbeat> servers) {
        List<List<String>> rows = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            String name = WorkerRows.name(worker.beat());
            rows.addAll(LossTable.rows(name, stages(worker.beat())));
        }
        for (Heartbeat server : servers) {
            rows.addAll(LossTable.rows("merge of " + server.getOwner(), stages(server)));
        }
        return rows;
    }

    /** Returns the account of all workers. */
    static List<Stage.Snapshot> stages(List<WorkerTable.Worker> workers) {
        return workers.stream().flatMap(worker -> stages(worker.beat()).stream()).toList();
    }

    /** Returns the account with each query. Older workers have one page for all queries. */
    private static List<Stage.Snapshot> stages(Heartbeat beat) {
        boolean each = beat.getQueryList().stream().anyMatch(QueryState::hasCounts);
        List<Stage.Snapshot> stages = new ArrayList<>();
        beat.getStageList().stream()
                .filter(stage -> !each || !stage.getName().equals(ALL_QUERIES))
                .forEach(stage -> stages.add(Pages.read(stage.getName(), stage)));
        beat.getQueryList().stream()
                .filter(QueryState::hasCounts)
                .forEach(q -> stages.add(Pages.read("query:" + q.getName(), q.getCounts())));
        return stages;
    }

    /** Returns the lines of EXPLAIN ANALYZE, worker by worker. */
    static List<List<String>> analyzed(String query, List<WorkerTable.Worker> workers) {
        List<List<String>> lines = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            List<List<String>> own =
                    QueryAnalysis.lines(query, rates(worker.beat()), stages(worker.beat()));
            if (!own.isEmpty()) {
                lines.add(List.of("worker " + WorkerRows.name(worker.beat()) + ":"));
                own.forEach(line -> lines.add(List.of("  " + line.get(0))));
            }
        }
        return lines;
    }
}
