package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.Retirement;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir worker retire}: takes workers out of a cluster for good. */
@Command(
        name = "retire",
        sortOptions = false,
        description = {
            "Takes workers out of a cluster for good: the merge does not wait for them, SHOW WORKERS"
                    + " and weir doctor do not miss them, and no alert fires.",
            "",
            "A running worker is asked to end, and sends its rows. A worker that is started"
                    + " again under its name joins the cluster again."
        },
        footer = {"", "Example:", "  weir worker retire --kafka 127.0.0.1:9092 Node1 Node2"})
final class RetireCommand implements Callable<Integer> {
    private static final List<String> HEADINGS = List.of("retired", "it");
    private static final long HEARD_MS = 30_000;
    private static final long A_BEAT_MS = 1_500;
    private static final long ENDING_MS = 60_000;
    private static final long LOOK_MS = 50;

    private final StandardStreams streams;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Parameters(paramLabel = "NODE", arity = "1..*", description = "Workers, by their --node-id.")
    private List<String> nodes;

    RetireCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws InterruptedException {
        KafkaSettings settings = kafka.settings();
        try (KafkaCatalog catalog = KafkaCatalog.open(settings, "weir worker retire");
                WorkerTable table = new WorkerTable(settings).start()) {
            if (!table.awaitWhole(HEARD_MS)) {
                throw new WeirException(
                        ErrorCode.KAFKA_UNAVAILABLE,
                        "workers are not heard: " + table.trouble(),
                        "may this user read weir.heartbeats?");
            }
            Thread.sleep(A_BEAT_MS); // a running worker is heard again by then
            Set<String> all = new LinkedHashSet<>(nodes);
            all.forEach(node -> check(node, catalog, table));
            List<List<String>> rows = new ArrayList<>();
            for (String node : all) {
                rows.add(List.of(node, retire(node, catalog, table)));
            }
            TextTable.print(new TextOut(streams.out()), HEADINGS, rows);
        }
        return ExitCode.OK;
    }

    private static Map<String, WorkerTable.Worker> heard(WorkerTable table) {
        Map<String, WorkerTable.Worker> heard = new TreeMap<>();
        table.workers().forEach(worker -> heard.put(worker.beat().getWorker(), worker));
        return heard;
    }

    private static void check(String node, KafkaCatalog catalog, WorkerTable table) {
        boolean isSlice =
                catalog.state().slices().values().stream()
                        .anyMatch(replay -> replay.workers().anyMatch(node::equals));
        if (isSlice) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    node + " is a slice of a capture, which moves to another worker",
                    "weir slices --drop NAME forgets the capture");
        }
        Map<String, WorkerTable.Worker> heard = heard(table);
        if (!heard.containsKey(node)) {
            String others = String.join(", ", heard.keySet());
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "no worker " + node + " was heard within an hour: nobody waits for it",
                    heard.isEmpty() ? "none was heard" : "heard were " + others);
        }
    }

    private static String retire(String node, KafkaCatalog catalog, WorkerTable table)
            throws InterruptedException {
        WorkerTable.Worker worker = heard(table).get(node);
        String life = worker.beat().getLife();
        boolean runs = worker.silentMs() < A_BEAT_MS && !worker.hasEnded();
        catalog.retire(new Retirement(node, life));
        if (!runs) {
            long silentS = TimeUnit.MILLISECONDS.toSeconds(worker.silentMs());
            return worker.hasEnded()
                    ? "ended in order " + silentS + " s ago"
                    : "was silent for " + silentS + " s";
        }
        Deadline deadline = Deadline.afterMs(ENDING_MS);
        while (isRunning(heard(table).get(node), life)) {
            if (deadline.isOver()) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        node + " runs on, though it is retired",
                        "stop its process: systemctl stop weir-worker, or kill");
            }
            Thread.sleep(LOOK_MS);
        }
        return "ran, and has ended";
    }

    private static boolean isRunning(WorkerTable.Worker worker, String life) {
        return worker != null
                && worker.beat().getLife().equals(life)
                && !worker.isMissing()
                && !worker.hasEnded();
    }
}
