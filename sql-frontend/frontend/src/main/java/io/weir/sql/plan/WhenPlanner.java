package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Plans WHEN condition [UNTIL condition | FOR interval], over the rows of one other query. */
final class WhenPlanner {
    private final Binding binding;
    private final Catalog catalog;

    WhenPlanner(Binding binding, Catalog catalog) {
        this.binding = binding;
        this.catalog = catalog;
    }

    /** Finds the query whose rows are tested. */
    Query upstream(String name, ParsedStatement.Query parsed) {
        List<SqlIdentifier> columns = new ArrayList<>();
        collect(parsed.when(), columns);
        if (parsed.until() != null) {
            collect(parsed.until(), columns);
        }
        return new Upstream(binding, catalog, name).of(parsed.when(), columns);
    }

    When plan(String name, ParsedStatement.Query parsed, Optional<Correlated> correlated) {
        Query upstream = upstream(name, parsed);
        new Cycles(binding, catalog).checkWhen(name, upstream.name(), parsed.when());
        Expr condition = condition(upstream, parsed.when(), "WHEN");
        Optional<Expr> until =
                parsed.until() == null
                        ? Optional.empty()
                        : Optional.of(condition(upstream, parsed.until(), "UNTIL"));
        Optional<Long> forNs = forNs(parsed.interval());
        BindingSettings settings = BindingSettings.of(binding, parsed, forNs.isPresent());
        return new When(
                upstream.name(),
                condition,
                until,
                forNs,
                correlated.map(used -> used.correlation(settings)));
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

    private Expr condition(Query upstream, SqlNode node, String clause) {
        UpstreamScope scope = new UpstreamScope(binding, upstream, clause);
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

    /** Names in a condition: columns of the upstream's rows. */
    private static final class UpstreamScope extends ConstantScope {
        private final Query upstream;

        UpstreamScope(Binding binding, Query upstream, String clause) {
            super(binding, clause);
            this.upstream = upstream;
        }

        @Override
        public Expr column(SqlIdentifier name) {
            String column = name.names.get(name.names.size() - 1);
            Optional<Variable> found =
                    upstream.columns().stream().filter(c -> c.name().equals(column)).findFirst();
            return found.orElseThrow(() -> unknown(name, column));
        }

        private WeirException unknown(SqlIdentifier at, String column) {
            List<String> known = upstream.columns().stream().map(Variable::name).toList();
            return binding.error(
                    ErrorCode.UNKNOWN_COLUMN,
                    at,
                    "there is no column " + column + " in " + upstream.name(),
                    Suggestion.hint(column, known, "its columns are " + String.join(", ", known)));
        }
    }
}
