package io.weir.cluster.worker;

import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.metrics.StageMeter;
import io.weir.cluster.metrics.Timing;
import io.weir.cluster.node.SourceMeter;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.wire.QueryState.State;
import io.weir.cluster.wire.StageCounts;
import io.weir.ingest.source.SourceStatus;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.node.LocalEngine;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Shows a worker to Prometheus: its account, and measures of its parts while it runs. Parts appear
 * when they come to be and disappear when they end. Any thread.
 */
final class WorkerMeter implements Meter {
    private static final String QUERY = "query:";
    private static final double MS_A_SECOND = 1e3;

    private final String name;
    private final StageMeter stages;
    private final SourceMeter sources;
    private volatile LocalEngine engine;
    private volatile Outboxes outboxes;
    private volatile Attachments attachments;
    private volatile Heartbeats beats;
    private volatile Timing compiling;
    private volatile Timing attaching;

    WorkerMeter(String name, Account account, Supplier<List<SourceStatus>> sources) {
        this.name = name;
        this.sources = new SourceMeter(sources);
        this.stages = new StageMeter(account, "worker", name);
    }

    void sends(Outboxes what) {
        outboxes = what;
    }

    void counts(LocalEngine with, WorkerEngine queries) {
        engine = with;
        compiling = queries.compiling();
        attaching = queries.attaching();
    }

    void follows(Attachments catalog, Heartbeats telling) {
        attachments = catalog;
        beats = telling;
    }

    /** Notes that its parts are closed: only the account is left. */
    void ended() {
        engine = null;
        outboxes = null;
        attachments = null;
        beats = null;
    }

    @Override
    public void read(Readings out) {
        stages.read(out);
        sources.read(out);
        readOutbox(out);
        readCatalog(out);
        LocalEngine running = engine;
        if (running != null) {
            running.stateBytes().forEach((query, bytes) -> readState(out, query, bytes));
            compiling.read(out, "weir_kernel_compiles", "Kernels compiled", "worker", name);
            attaching.read(
                    out,
                    "weir_query_attaches",
                    "Queries attached, with the warming of their kernels",
                    "worker",
                    name);
        }
    }

    /** Returns the account as heartbeats report it: the sum of its queries. */
    static List<StageCounts> stages(Account account) {
        Map<String, Stage.Snapshot> byName = new LinkedHashMap<>();
        for (Stage.Snapshot stage : account.snapshot()) {
            String name = stage.stage().startsWith(QUERY) ? "queries" : stage.stage();
            byName.merge(name, stage, Stage.Snapshot::plus);
        }
        List<StageCounts> stages = new ArrayList<>();
        byName.forEach((name, stage) -> stages.add(Pages.of(stage).setName(name).build()));
        return stages;
    }

    /** Returns the counts of each of its queries, by name. */
    static Map<String, StageCounts> queries(Account account) {
        Map<String, StageCounts> byName = new HashMap<>();
        for (Stage.Snapshot stage : account.snapshot()) {
            if (stage.stage().startsWith(QUERY) && stage.offered() > 0) {
                byName.put(stage.stage().substring(QUERY.length()), Pages.of(stage).build());
            }
        }
        return byName;
    }

    private void readState(Readings out, String query, long bytes) {
        String help = "Native memory of a query's open windows; of several that share, the first";
        out.gauge("weir_query_state_bytes", help, bytes, "query", query, "worker", name);
    }

    private void readOutbox(Readings out) {
        Outboxes sending = outboxes;
        if (sending == null) {
            return;
        }
        Outbox rows = sending.rows();
        labelled(out).gauge("weir_outbox_rows", "Rows that wait for Kafka", sending.rowsWaiting());
        labelled(out).gauge("weir_outbox_bytes", "Bytes of the outbox on disk", rows.bytes());
        labelled(out).gauge("weir_outbox_limit_bytes", "What it may have", rows.limitBytes());
        Outbox partials = sending.partials();
        String bytes = "Bytes of windows for the merge, before compression";
        labelled(out).counter("weir_partials_bytes", bytes, partials.appendedBytes());
        long lost = partials.stage().snapshot().lostInAll();
        labelled(out).counter("weir_partials_lost", "Parcels that were lost", lost);
        String waiting = "Parcels that wait for Kafka";
        labelled(out).gauge("weir_partials_waiting", waiting, sending.partialsWaiting());
    }

    private void readCatalog(Readings out) {
        Attachments queries = attachments;
        Heartbeats telling = beats;
        if (queries == null || telling == null) {
            return;
        }
        labelled(out)
                .gauge(
                        "weir_catalog_offset",
                        "How far the catalogue was read: its version",
                        queries.offset());
        labelled(out)
                .gauge(
                        "weir_heartbeat_age_seconds",
                        "Since Kafka took the last heartbeat",
                        telling.ageMs() / MS_A_SECOND);
        Map<State, Long> byState = new EnumMap<>(State.class);
        for (State state : new State[] {State.RUNNING, State.ELSEWHERE, State.FAILED}) {
            byState.put(state, 0L);
        }
        queries.standing().forEach(query -> byState.merge(query.state(), 1L, Long::sum));
        byState.forEach(
                (state, n) ->
                        out.gauge(
                                "weir_queries",
                                "Queries of the catalogue, by what became of them here",
                                n,
                                "state",
                                state.name().toLowerCase(Locale.ROOT),
                                "worker",
                                name));
    }

    private Labelled labelled(Readings out) {
        return new Labelled(out, name);
    }

    private record Labelled(Readings out, String worker) {
        void gauge(String metric, String help, long value) {
            out.gauge(metric, help, value, "worker", worker);
        }

        void gauge(String metric, String help, double value) {
            out.gauge(metric, help, value, "worker", worker);
        }

        void counter(String metric, String help, long value) {
            out.counter(metric, help, value, "worker", worker);
        }
    }
}
