package io.weir.cluster.node;

import io.weir.cluster.catalog.QueryCatalog;
import io.weir.cluster.placement.Placement;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers of SHOW, DESCRIBE and EXPLAIN: rows of text. */
final class Information {
    private final QueryCatalog catalog;
    private final Placement placement;
    private final NodeSettings settings;

    Information(QueryCatalog catalog, Placement placement, NodeSettings settings) {
        this.catalog = catalog;
        this.placement = placement;
        this.settings = settings;
    }

    Answer.Texts answer(Statement statement) {
        if (statement instanceof Statement.ShowQueries) {
            return texts(List.of("query", "waits_for", "sql"), queries());
        } else if (statement instanceof Statement.Describe describe) {
            return texts(List.of("column", "type", "meaning"), columns(describe.name()));
        } else if (statement instanceof Statement.ShowStreams) {
            List<String> names = new Streams(catalog).names();
            return texts(List.of("stream"), names.stream().map(List::of).toList());
        } else if (statement instanceof Statement.ShowFunctions) {
            return texts(List.of("function", "arguments", "result"), functions());
        } else if (statement instanceof Statement.Explain explain) {
            List<String> lines = explain.kernel() ? kernel(explain.query()) : plan(explain.query());
            return texts(List.of("plan"), lines.stream().map(List::of).toList());
        }
        throw new IllegalStateException(String.valueOf(statement));
    }

    /** Answers are taken as of now: later statements of the same text may change the catalogue. */
    private static Answer.Texts texts(List<String> headings, List<List<String>> rows) {
        return new Answer.Texts(headings, () -> rows);
    }

    private List<List<String>> queries() {
        return catalog.all().stream()
                .map(
                        query ->
                                List.of(
                                        query.name(),
                                        query.when().map(when -> when.upstream()).orElse(""),
                                        query.sql().strip().replaceAll("\\s+", " ")))
                .toList();
    }

    private List<List<String>> columns(String stream) {
        List<List<String>> rows = new ArrayList<>();
        for (Variable column : new Streams(catalog).find(stream).orElseThrow().columns()) {
            boolean isQuery = catalog.find(stream).isPresent();
            String meaning =
                    isQuery
                            ? ""
                            : PacketColumns.find(column.name())
                                    .map(PacketColumns.PacketColumn::meaning)
                                    .orElse("");
            rows.add(List.of(column.name(), column.type().toString(), meaning));
        }
        return rows;
    }

    private static List<List<String>> functions() {
        return Functions.all().stream()
                .filter(function -> !function.arguments().isEmpty())
                .map(Information::function)
                .distinct()
                .toList();
    }

    private static List<String> function(Function function) {
        List<String> kinds = function.arguments().stream().map(Enum::name).toList();
        return List.of(function.name(), String.join(", ", kinds), function.result().name());
    }

    private List<String> plan(Query query) {
        List<String> lines = new ArrayList<>(PlanText.of(query));
        Placement.Place place = placement.place(query);
        lines.add("pipelines: " + place.pipelines());
        lines.add((place.merged() ? "merge: yes, " : "merge: no, ") + place.reason());
        shared(query).ifPresent(lines::add);
        if (query.readsPackets() && !PlanText.mentions(query, "node_id")) {
            lines.add("nodes: added up; a packet seen at two nodes counts twice");
        }
        return lines;
    }

    /** With which queries of the catalogue it has one map and one kernel when they run together. */
    private Optional<String> shared(Query query) {
        Optional<Sharing.Key> key = Sharing.key(query);
        List<String> others =
                catalog.all().stream()
                        .filter(other -> !other.name().equals(query.name()))
                        .filter(other -> key.isPresent() && Sharing.key(other).equals(key))
                        .map(Query::name)
                        .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("shared with " + String.join(", ", others));
    }

    private List<String> kernel(Query query) {
        CompiledQuery code = KernelCompiler.compile(query, settings.layouts());
        List<String> lines = new ArrayList<>();
        if (!query.readsPackets()) {
            Query upstream = catalog.find(query.scan().stream()).orElseThrow();
            CompiledQuery rows = KernelCompiler.compile(upstream, settings.layouts());
            code.source(rows.rowLayout()).lines().forEach(lines::add);
            return lines;
        }
        for (GpvLayout layout : settings.layouts()) {
            lines.add("// layout " + layout.name() + ", IPv" + layout.family());
            code.source(layout).lines().forEach(lines::add);
        }
        return lines;
    }
}
