package io.weir.sql.plan;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.DefinedFunction;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Plans one statement's query, from the grammar's tree to the operator graph. One use, one thread.
 */
public final class QueryPlanner {
    private final Binding binding;
    private final Catalog catalog;
    private final SelectInput selecting;
    private SubQueries subQueries;
    private String sql;

    public QueryPlanner(Binding binding, Catalog catalog, SelectInput selecting) {
        this.binding = binding;
        this.catalog = catalog;
        this.selecting = selecting;
    }

    /**
     * Plans a query.
     *
     * @param name of the query; its WHEN cannot name itself
     * @param text the statement as written
     */
    public Query plan(String name, ParsedStatement.Query parsed, String text) {
        DefinedFunction.resolve(
                Arrays.asList(parsed.query(), parsed.when(), parsed.until()),
                function -> catalog.aggregate(function).map(DefinedAggregate::def));
        subQueries = new SubQueries(binding, catalog, name);
        sql = text;
        Query query = plan(name, parsed, Map.of());
        return new Query(
                name, query.root(), query.when(), text, query.budget(), subQueries.readBy(query));
    }

    /** Plans a sub-query of FROM or WITH. The statement's memory is that of each sub-query. */
    private Query subQuery(
            SqlNode node, Map<String, Query> named, List<ParsedStatement.Setting> settings) {
        ParsedStatement.Query inner =
                new ParsedStatement.Query(node, null, null, null, null, settings);
        Query part = plan(subQueries.name(node), inner, named);
        subQueries.add(part);
        return part;
    }

    /**
     * @param outer the names that WITH of the statements around it has given
     */
    private Query plan(String name, ParsedStatement.Query parsed, Map<String, Query> outer) {
        WithClause with =
                WithClause.of(
                        binding,
                        parsed.query(),
                        outer,
                        (node, named) -> subQuery(node, named, parsed.settings()));
        SelectParts parts =
                SelectParts.of(binding, Unions.selected(with.body())).emitting(parsed.emit());
        Streams streams = new Streams(subQueries);
        FromClause from = new FromClause(binding, streams, with.named(), inner(parsed, with));
        FromSource source = from.source(parts.from());
        ExistsConditions exists = ExistsConditions.of(parts.where());
        for (ExistsConditions.One one : exists.all()) {
            source = from.joins().exists(source, one.call(), one.negated());
        }
        new Cycles(binding, subQueries).check(subQueries.owner(), source);
        SelectParts rest = exists.all().isEmpty() ? parts : parts.withWhere(exists.rest());
        return plan(name, parsed, rest, new RowScope(binding, streams, source, rest));
    }

    private InnerQueries inner(ParsedStatement.Query parsed, WithClause with) {
        return new InnerQueries() {
            @Override
            public Query query(SqlNode node) {
                return subQuery(node, with.named(), parsed.settings());
            }

            @Override
            public Query named(Query query, List<Variable> columns) {
                Query named = UnionClause.named(query, columns);
                subQueries.add(named);
                return named;
            }

            @Override
            public Query of(Stream join) {
                ColumnUse use = new ColumnUse();
                List<Operator.Named> all = new ArrayList<>();
                join.columns()
                        .forEach(column -> all.add(new Operator.Named(column.name(), column)));
                use.addKeys(all);
                Operator root = new Operator.Project(use.scan(join), all);
                Query query =
                        new Query(subQueries.name(parsed.query()), root, Optional.empty(), sql);
                subQueries.add(query);
                return query;
            }
        };
    }

    private Query plan(
            String name, ParsedStatement.Query parsed, SelectParts selected, RowScope from) {
        SelectParts parts = selected;
        RowScope rows = from;
        Optional<Correlated> correlated = correlated(name, parsed, parts, rows);
        if (correlated.isPresent()) {
            checkCorrelated(parts, rows);
            parts = parts.withWhere(correlated.get().rest(parts.where()));
            rows = rows.with(correlated.get());
        }
        Operator root = root(parts, rows, atRest(parsed, rows.source.stream()));
        Optional<When> when =
                parsed.when() == null
                        ? Optional.empty()
                        : Optional.of(
                                new WhenPlanner(binding, catalog).plan(name, parsed, correlated));
        Query query = new Query(name, root, when, sql);
        BindingSettings.check(binding, parsed, query);
        checkWindow(parts, query);
        Query bounded = new BudgetClause(binding).of(parsed, query);
        new EmitClause(binding).check(parsed, bounded);
        return bounded;
    }

    /** Returns the query whose rows are read at rest, if there is one. */
    private Optional<Query> atRest(ParsedStatement.Query parsed, Stream stream) {
        String read = stream.type().name();
        boolean snapshot =
                parsed.when() == null
                        && !SubQueryNames.isOne(read)
                        && selecting.isAtRest(catalog, read);
        return snapshot ? catalog.find(read) : Optional.empty();
    }

    /** Finds the upstreams' columns in other clauses than WHEN; empty if there are none. */
    private Optional<Correlated> correlated(
            String name, ParsedStatement.Query parsed, SelectParts parts, RowScope rows) {
        Optional<SqlIdentifier> first =
                parsed.when() == null ? Optional.empty() : Correlated.first(parts, rows.source);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<Query> upstreams = new WhenPlanner(binding, catalog).upstreams(name, parsed);
        String named = first.get().names.get(0);
        return upstreams.stream().anyMatch(upstream -> upstream.name().equals(named))
                ? Optional.of(
                        Correlated.of(
                                binding,
                                upstreams,
                                rows.source,
                                parts,
                                node -> new ExpressionBinder(binding, rows.in("WHERE")).bind(node)))
                : Optional.empty();
    }

    private void checkCorrelated(SelectParts parts, RowScope rows) {
        String grouped = "group by TUMBLE(ts, INTERVAL '1' SECOND)";
        if (rows.source.stream().form() == Stream.Form.FLOWS) {
            throw binding.notSupported(
                    rows.source.at(), "flows in a query whose WHEN has values", grouped);
        } else if (parts.distinct()) {
            throw binding.notSupported(
                    parts.select(), "DISTINCT in a query whose WHEN has values", grouped);
        } else if (!aggregates(parts) && parts.fetch() != null) {
            throw binding.notSupported(
                    parts.fetch(),
                    "LIMIT of single rows in a query whose WHEN has values",
                    grouped + " to limit the rows of each binding and window");
        }
    }

    /** The totals of a binding have no end that frees them. */
    private void checkWindow(SelectParts parts, Query query) {
        boolean totals = query.aggregate().filter(a -> a.window().isEmpty()).isPresent();
        if (totals && query.when().flatMap(When::correlation).isPresent()) {
            throw binding.notSupported(
                    parts.select(),
                    "totals without a window in a query whose WHEN has values",
                    "group by TUMBLE(ts, INTERVAL '1' SECOND)");
        }
    }

    private Operator root(SelectParts parts, RowScope rows, Optional<Query> atRest) {
        if (rows.source.stream().form() == Stream.Form.FLOWS) {
            return new FlowPlanner(rows, parts, aggregates(parts)).plan();
        } else if (aggregates(parts)) {
            return new AggregatePlanner(rows, parts).plan();
        }
        return new RowPlanner(rows, parts, atRest).plan();
    }

    private static boolean aggregates(SelectParts parts) {
        if (parts.group() != null || parts.having() != null) {
            return true;
        }
        List<SqlNode> shown = new ArrayList<>(parts.items());
        shown.addAll(parts.order());
        return Contains.aggregate(shown);
    }
}
