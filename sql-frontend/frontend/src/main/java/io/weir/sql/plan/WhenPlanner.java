package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Plans WHEN condition [UNTIL condition | FOR interval], over the rows of other queries. */
final class WhenPlanner {
    private final Binding binding;
    private final Catalog catalog;

    WhenPlanner(Binding binding, Catalog catalog) {
        this.binding = binding;
        this.catalog = catalog;
    }

    /** Finds the queries whose rows are tested, in the order of the conditions. */
    List<Query> upstreams(String name, ParsedStatement.Query parsed) {
        List<SqlIdentifier> columns = new ArrayList<>();
        collect(parsed.when(), columns);
        if (parsed.until() != null) {
            collect(parsed.until(), columns);
        }
        return new Upstream(binding, catalog, name).of(parsed.when(), columns);
    }

    When plan(String name, ParsedStatement.Query parsed, Optional<Correlated> correlated) {
        List<Query> upstreams = upstreams(name, parsed);
        for (Query upstream : upstreams) {
            new Cycles(binding, catalog).checkWhen(name, upstream.name(), parsed.when());
            boolean keyed = correlated.filter(used -> used.isKeyed(upstream)).isPresent();
            if (upstreams.size() > 1 && !keyed) {
                checkKeyless(upstream, parsed.when());
            }
        }
        Expr condition = condition(upstreams, parsed.when(), "WHEN");
        Optional<Expr> until =
                parsed.until() == null
                        ? Optional.empty()
                        : Optional.of(condition(upstreams, parsed.until(), "UNTIL"));
        Optional<Long> forNs = forNs(parsed.interval());
        BindingSettings settings = BindingSettings.of(binding, parsed, forNs.isPresent());
        return new When(
                upstreams.stream().map(Query::name).toList(),
                condition,
                until,
                forNs,
                correlated.map(used -> used.correlation(settings)));
    }

    /** With several upstreams, the latest row of one must be the only one of its window. */
    private void checkKeyless(Query upstream, SqlNode at) {
        List<String> keys =
                upstream.aggregate().stream()
                        .flatMap(one -> one.keys().stream())
                        .map(Operator.Named::name)
                        .toList();
        if (!keys.isEmpty()) {
            String column = keys.get(0);
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    at,
                    upstream.name()
                            + " has a row for each "
                            + String.join(", ", keys)
                            + ", so it is not known which is its latest row",
                    "write WHERE "
                            + column
                            + " = "
                            + upstream.name()
                            + "."
                            + column
                            + ", for each query with keys that WHEN names");
        }
    }

    private static void collect(SqlNode condition, List<SqlIdentifier> columns) {
        Contains.any(
                List.of(condition),
                node -> {
                    if (node instanceof SqlIdentifier id && !id.isStar()) {
                        columns.add(id);
                    }
                    return false;
                });
    }

    private Expr condition(List<Query> upstreams, SqlNode node, String clause) {
        UpstreamScope scope = new UpstreamScope(binding, catalog, upstreams, clause);
        return new ExpressionBinder(binding, scope).condition(node, clause);
    }

    private Optional<Long> forNs(SqlNode interval) {
        if (interval == null) {
            return Optional.empty();
        }
        Expr expr = new ExpressionBinder(binding, new ConstantScope(binding, "FOR")).bind(interval);
        if (expr instanceof Expr.Literal literal
                && literal.type().kind() == Kind.INTERVAL
                && (Long) literal.value() > 0) {
            return Optional.of((Long) literal.value());
        }
        throw binding.error(
                ErrorCode.INVALID_QUERY,
                interval,
                "FOR takes an interval over 0",
                "write it as FOR INTERVAL '10' SECOND");
    }

    /** Names in a condition: columns of the upstreams' rows. */
    private static final class UpstreamScope extends ConstantScope {
        private final Catalog catalog;
        private final List<Query> upstreams;

        UpstreamScope(Binding binding, Catalog catalog, List<Query> upstreams, String clause) {
            super(binding, clause);
            this.catalog = catalog;
            this.upstreams = upstreams;
        }

        @Override
        public Optional<LookupTable> table(SqlIdentifier name) {
            Optional<LookupTable> table = Streams.named(name.names).flatMap(catalog::table);
            if (table.isPresent()) {
                String upstream = upstreams.get(0).name();
                throw binding.notSupported(
                        name,
                        "a lookup table in " + clause,
                        "look it up in " + upstream + ", and test a column of " + upstream);
            }
            return table;
        }

        @Override
        public Expr column(SqlIdentifier name) {
            String column = name.names.get(name.names.size() - 1);
            List<Query> owners =
                    upstreams.stream()
                            .filter(one -> name.names.size() == 1 || isOf(name, one))
                            .filter(one -> find(one, column).isPresent())
                            .toList();
            if (owners.size() == 1) {
                Variable found = find(owners.get(0), column).orElseThrow();
                return upstreams.size() == 1 ? found : When.qualified(owners.get(0).name(), found);
            } else if (owners.size() > 1) {
                List<String> names = owners.stream().map(Query::name).toList();
                throw binding.error(
                        ErrorCode.INVALID_QUERY,
                        name,
                        "several queries have a column " + column + ": " + String.join(", ", names),
                        "write it as " + names.get(0) + "." + column);
            }
            Query named =
                    upstreams.stream()
                            .filter(one -> isOf(name, one))
                            .findFirst()
                            .orElse(upstreams.get(0));
            throw unknown(name, column, named);
        }

        private static boolean isOf(SqlIdentifier name, Query query) {
            return name.names.size() > 1 && name.names.get(0).equals(query.name());
        }

        private static Optional<Variable> find(Query query, String column) {
            return query.columns().stream().filter(c -> c.name().equals(column)).findFirst();
        }

        private WeirException unknown(SqlIdentifier at, String column, Query upstream) {
            List<String> known = upstream.columns().stream().map(Variable::name).toList();
            return binding.error(
                    ErrorCode.UNKNOWN_COLUMN,
                    at,
                    "there is no column " + column + " in " + upstream.name(),
                    Suggestion.hint(column, known, "its columns are " + String.join(", ", known)));
        }
    }
}
