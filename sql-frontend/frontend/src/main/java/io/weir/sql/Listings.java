package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Role;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.plan.PlanText;
import io.weir.sql.plan.WhenWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers the statements about the catalogue, rather than about packets. */
final class Listings {
    /** Characters of a console line, less those that frame a table of one column. */
    private static final int TERMINAL = 76;

    private final Catalog catalog;

    Listings(Catalog catalog) {
        this.catalog = catalog;
    }

    Listing of(Statement statement) {
        if (statement instanceof Statement.ShowQueries) {
            return queries();
        } else if (statement instanceof Statement.ShowStreams) {
            return streams();
        } else if (statement instanceof Statement.ShowFunctions) {
            return functions();
        } else if (statement instanceof Statement.ShowAggregates) {
            return aggregates();
        } else if (statement instanceof Statement.Describe describe) {
            return columns(describe.name());
        } else if (statement instanceof Statement.Explain explain && !explain.kernel()) {
            return plan(explain.query());
        }
        throw new IllegalArgumentException("no listing of " + statement);
    }

    private Listing queries() {
        List<List<String>> rows = new ArrayList<>();
        for (String name : catalog.names()) {
            catalog.find(name).ifPresent(query -> rows.add(query(query)));
        }
        return new Listing(List.of("name", "waits_for", "memory", "on_overflow", "sql"), rows);
    }

    private static List<String> query(Query query) {
        return List.of(
                query.name(),
                String.join(", ", query.when().map(When::upstreams).orElse(List.of())),
                query.budget().map(Listings::memory).orElse(""),
                query.budget().map(b -> b.overflow().name().toLowerCase(Locale.ROOT)).orElse(""),
                line(query.sql()));
    }

    private static String line(String sql) {
        return sql.strip().replaceAll("\\s+", " ");
    }

    /** Returns the text as WITH takes it. */
    private static String memory(Budget budget) {
        long bytes = budget.memoryBytes();
        int unit = Math.min(Long.numberOfTrailingZeros(bytes) / 10, 3);
        return (bytes >> 10 * unit) + List.of("B", "KB", "MB", "GB").get(unit);
    }

    private Listing streams() {
        List<List<String>> rows = new ArrayList<>();
        for (String name : new Streams(catalog).names()) {
            rows.add(List.of(name, Streams.about(name)));
        }
        return new Listing(List.of("name", "about"), rows);
    }

    private static Listing functions() {
        List<List<String>> rows = new ArrayList<>();
        for (FunctionDef def : FunctionRegistry.loaded().all()) {
            def.forms().forEach(form -> rows.add(List.of(form.text(), form.about())));
        }
        return new Listing(List.of("form", "about"), rows);
    }

    private Listing aggregates() {
        List<List<String>> rows = new ArrayList<>();
        for (DefinedAggregate one : catalog.aggregates()) {
            String order = one.def().role() == Role.ORDERED ? "yes" : "no";
            rows.add(List.of(one.def().form(), order, line(one.sql())));
        }
        return new Listing(List.of("form", "ordered", "sql"), rows);
    }

    /** DESCRIBE's text for columns without further information. */
    static Listing columns(List<Variable> columns) {
        return described(
                columns.stream()
                        .map(column -> List.of(column.name(), type(column.type()), ""))
                        .toList());
    }

    private static Listing described(List<List<String>> rows) {
        return new Listing(List.of("name", "type", "about"), rows);
    }

    private Listing columns(String name) {
        Optional<LookupTable> table = catalog.table(name);
        if (table.isPresent()) {
            return columns(table.get().schema());
        }
        Stream stream =
                new Streams(catalog)
                        .find(name)
                        .orElseThrow(
                                () ->
                                        new WeirException(
                                                ErrorCode.UNKNOWN_STREAM,
                                                "there is no stream or query " + name));
        List<List<String>> rows = new ArrayList<>();
        for (Variable column : stream.columns()) {
            rows.add(
                    List.of(
                            column.name(),
                            type(column.type()),
                            Streams.about(name, column.name())));
        }
        return described(rows);
    }

    private static Listing columns(TableSchema schema) {
        List<List<String>> rows = new ArrayList<>();
        for (int c = 0; c < schema.columns().size(); c++) {
            Variable column = schema.columns().get(c);
            boolean ofKey = schema.key().contains(c);
            boolean prefix = schema.match() == TableSchema.Match.PREFIX;
            String about = !ofKey ? "" : prefix ? "of the prefix" : "of the key";
            rows.add(List.of(column.name(), type(column.type()), about));
        }
        return described(rows);
    }

    private static String type(Type type) {
        return type.kind().name() + (type.nullable() ? " NULL" : "");
    }

    private Listing plan(Query query) {
        List<List<String>> rows = new ArrayList<>();
        WrappedLines.lines(PlanText.explain(query), TERMINAL)
                .forEach(line -> rows.add(List.of(line)));
        WhenWarning.of(query, catalog)
                .map(text -> WrappedLines.lines("warning: " + text, TERMINAL))
                .ifPresent(lines -> lines.forEach(line -> rows.add(List.of(line))));
        return new Listing(List.of("plan"), rows);
    }
}
