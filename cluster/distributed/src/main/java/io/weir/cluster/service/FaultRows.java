package io.weir.cluster.service;

import io.weir.cluster.kafka.catalog.Fault;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.merge.MergeStall;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.SourceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Makes the fault rows of SHOW EVENTS of a cluster. */
final class FaultRows {
    static final List<String> HEADINGS = List.of("event", "query", "at", "about");

    /** The states of a source that failed last. */
    private static final Set<String> FAULTS =
            Set.of(SourceState.RETRYING.label(), SourceState.FAILED.label());

    private FaultRows() {}

    /**
     * @param merges counts of the merge's parts that run in this process
     */
    static List<List<String>> of(
            List<Fault> faults, List<WorkerTable.Worker> workers, Map<String, MergeCounts> merges) {
        List<List<String>> rows = new ArrayList<>();
        for (Fault fault : faults) {
            String at = "record " + fault.offset() + " of the catalogue";
            rows.add(List.of("set aside", fault.name(), at, fault.about()));
        }
        for (WorkerTable.Worker worker : workers) {
            String at = "worker " + worker.beat().getWorker();
            if (worker.isMissing() && !worker.isUnheard()) {
                rows.add(List.of("missing", "", at, "silent for " + worker.silentMs() + " ms"));
            }
            if (!worker.isMissing() && !worker.hasEnded()) {
                worker.beat().getSourceList().forEach(source -> source(rows, at, source));
            }
            for (String note : worker.beat().getInputNoteList()) {
                rows.add(List.of("note", "", at, note));
            }
            lost(rows, worker.beat(), "rows", worker.beat().getRowsLost());
            lost(rows, worker.beat(), "partials", worker.beat().getPartialsLost());
            waits(rows, worker.beat(), "rows", worker.beat().getRowsTrouble());
            waits(rows, worker.beat(), "parts of windows", worker.beat().getPartialsTrouble());
            for (QueryState query : worker.beat().getQueryList()) {
                query(rows, at, query);
            }
        }
        merges.forEach((part, counts) -> merge(rows, "merge " + part, counts));
        return rows;
    }

    /**
     * Makes one row for all workers if none is heard.
     *
     * @param trouble the reason; empty: they are heard
     */
    static List<List<String>> unheard(String trouble) {
        return trouble.isEmpty()
                ? List.of()
                : List.of(List.of("unheard", "", "this server", trouble));
    }

    /**
     * Makes rows for parts of the merge that stand still, with the sources that they wait for.
     *
     * @param own the instance in this process, by its name in heartbeats
     * @param stalls of that one, which are known while Kafka is away too
     * @param servers that live
     */
    static List<List<String>> stalled(
            String own, List<MergeStall> stalls, List<Heartbeat> servers) {
        List<List<String>> rows = new ArrayList<>();
        stalls.forEach(s -> rows.add(List.of("stalled", "", "merge of this server", s.text())));
        for (Heartbeat server : servers) {
            if (!server.getWorker().equals(own)) {
                String at = "merge of " + server.getOwner();
                server.getMergeStallList().forEach(s -> rows.add(List.of("stalled", "", at, s)));
            }
        }
        return rows;
    }

    private static void source(List<List<String>> rows, String at, SourceReport source) {
        if (FAULTS.contains(source.getState())) {
            String event = "source " + source.getState();
            rows.add(List.of(event, source.getName(), at, source.getError()));
        }
    }

    private static void query(List<List<String>> rows, String at, QueryState query) {
        if (query.getState() == QueryState.State.FAILED) {
            rows.add(List.of("does not run", query.getName(), at, query.getAbout()));
        } else if (query.getState() == QueryState.State.RUNNING && !query.getAbout().isEmpty()) {
            rows.add(List.of("replaced", query.getName(), at, query.getAbout()));
        }
    }

    private static void merge(List<List<String>> rows, String at, MergeCounts counts) {
        if (counts.lateWindows().get() > 0) {
            String about =
                    counts.lateWindows()
                            + " windows of one worker, with "
                            + counts.latePackets()
                            + " packets, came after their rows were made";
            rows.add(List.of("late", "", at, about));
        }
        MergeCounts.Unmade last = counts.lastUnmade();
        if (last != null) {
            String about =
                    counts.unmadeWindows() + " windows; the last: " + last.why().getMessage();
            rows.add(List.of("no memory", last.query(), at, about));
        }
        replaced(rows, at, counts);
        forgotten(rows, at, counts);
        if (counts.lastUnread() != null) {
            String about =
                    counts.unread() + " blocks; the last: " + counts.lastUnread().getMessage();
            rows.add(List.of("unread", "", at, about));
        }
        if (counts.lastUnreadable() != null) {
            String about =
                    counts.keptUnread()
                            + " records of its store cannot be read; the last: "
                            + counts.lastUnreadable();
            rows.add(List.of("unread", "", at, about));
        }
    }

    private static void replaced(List<List<String>> rows, String at, MergeCounts counts) {
        if (counts.lastReplaced() != null) {
            String about =
                    counts.replacedWindows()
                            + " windows of one worker, with "
                            + counts.replacedPackets()
                            + " packets, were not made, for their versions are here no more";
            rows.add(List.of("replaced", counts.lastReplaced(), at, about));
        }
    }

    private static void forgotten(List<List<String>> rows, String at, MergeCounts counts) {
        if (counts.lastForgotten() != null) {
            String about =
                    counts.forgottenWindows()
                            + " times, open windows of a query over rows lack rows that it had"
                            + " read before the merge began again";
            rows.add(List.of("forgotten", counts.lastForgotten(), at, about));
        }
    }

    private static void waits(
            List<List<String>> rows, Heartbeat beat, String what, String trouble) {
        if (!trouble.isEmpty()) {
            String about = what + " wait, and none is sent: " + trouble;
            rows.add(List.of("not sent", "", "worker " + beat.getWorker(), about));
        }
    }

    /** Workers of older releases report the number of lost packets, but not the reason. */
    private static void lost(List<List<String>> rows, Heartbeat beat, String what, long count) {
        if (count > 0) {
            String why =
                    beat.getStageList().stream()
                            .filter(stage -> stage.getName().equals("outbox " + what))
                            .flatMap(stage -> new TreeMap<>(stage.getLostMap()).entrySet().stream())
                            .map(lost -> lost.getValue() + " " + lost.getKey())
                            .collect(Collectors.joining(", "));
            String about = count + (what.equals("rows") ? " rows" : " parts of windows");
            about += " will not reach Kafka" + (why.isEmpty() ? "" : ": " + why);
            rows.add(List.of("lost", "", "worker " + beat.getWorker(), about));
        }
    }
}
