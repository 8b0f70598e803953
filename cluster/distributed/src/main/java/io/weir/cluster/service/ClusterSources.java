package io.weir.cluster.service;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.NamedSource;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.CreatedSource;
import io.weir.cluster.node.SourceLine;
import io.weir.cluster.wire.SourceReport;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The sources of a cluster: those of the catalogue, and what workers report. Stateless. */
final class ClusterSources {
    /** The node of a source that names none. */
    private static final String NOBODY = "-";

    private static final String WAITING = "waiting";
    private static final long SECOND_MS = 1_000;

    private ClusterSources() {}

    /**
     * Adds a source to the catalogue. The worker of its node sees whether it can be opened.
     *
     * @throws WeirException INVALID_OPTION
     */
    static void create(
            KafkaCatalog catalog, Statement.CreateSource create, Optional<AuditNoting> noting) {
        SourceSpec spec = CreatedSource.read(create, NOBODY);
        checkNode(create.name(), spec);
        catalog.createSource(new NamedSource(create.name(), spec.uri(), spec.node()), noting);
    }

    private static void checkNode(String source, SourceSpec spec) {
        if (spec.node().equals(NOBODY)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the source " + source + " has no node",
                    "WITH (…, node = '…') names the worker that opens it; SHOW WORKERS lists them");
        }
    }

    /** Returns the rows of SHOW SOURCES. */
    static List<List<String>> rows(
            Collection<NamedSource> catalog, List<WorkerTable.Worker> workers) {
        List<List<String>> rows = new ArrayList<>();
        Set<String> told = new HashSet<>();
        for (WorkerTable.Worker worker : workers) {
            for (SourceReport source : isHere(worker) ? reports(worker) : reports()) {
                rows.add(line(source).row());
                told.add(key(source.getName(), source.getNode()));
            }
        }
        for (NamedSource source : catalog) {
            if (!told.contains(key(source.name(), source.node()))) {
                rows.add(waiting(source, why(source, workers)).row());
            }
        }
        return rows;
    }

    private static List<SourceReport> reports(WorkerTable.Worker worker) {
        return worker.beat().getSourceList();
    }

    private static List<SourceReport> reports() {
        return List.of();
    }

    private static boolean isHere(WorkerTable.Worker worker) {
        return !worker.isMissing() && !worker.hasEnded();
    }

    private static String key(String name, String node) {
        return name + "\0" + node;
    }

    private static SourceLine line(SourceReport source) {
        Optional<SourceLine.Counts> counts =
                source.hasPackets() ? Optional.of(counts(source)) : Optional.empty();
        return new SourceLine(
                source.getName(),
                source.getUri(),
                source.getNode(),
                source.getState(),
                counts,
                source.getError());
    }

    private static SourceLine.Counts counts(SourceReport source) {
        return new SourceLine.Counts(
                source.getSinceMs(),
                source.getPackets(),
                source.getPacketsPerSecond(),
                source.getBytesPerSecond(),
                source.getLostMap(),
                source.getExcludedMap(),
                source.hasLagMs() ? OptionalLong.of(source.getLagMs()) : OptionalLong.empty(),
                source.getRingFill(),
                source.getRetries());
    }

    private static SourceLine waiting(NamedSource source, String why) {
        return new SourceLine(
                source.name(), source.uri(), source.node(), WAITING, Optional.empty(), why);
    }

    /** Returns why no worker reports a source of the catalogue. */
    private static String why(NamedSource source, List<WorkerTable.Worker> workers) {
        Optional<WorkerTable.Worker> own =
                workers.stream()
                        .filter(one -> one.beat().getNodeList().contains(source.node()))
                        .findFirst();
        if (own.isEmpty()) {
            return "no worker has the node " + source.node();
        }
        String name = "worker " + own.get().beat().getWorker();
        long silentS = own.get().silentMs() / SECOND_MS;
        if (own.get().hasEnded()) {
            return name + " ended " + silentS + " s ago";
        } else if (own.get().isMissing()) {
            return name + " is silent for " + silentS + " s";
        }
        boolean finite =
                reports(own.get()).stream().anyMatch(one -> one.getState().equals("finite"));
        return finite
                ? name + " reads captures, and the sources of a worker are all live or all finite"
                : name + " has not reported it yet";
    }
}
