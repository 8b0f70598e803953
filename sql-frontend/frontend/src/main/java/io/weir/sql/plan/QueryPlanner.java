package io.weir.sql.plan;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * Plans one statement's query, from the grammar's tree to the operator graph. One use, one thread.
 */
public final class QueryPlanner {
    private final Binding binding;
    private final Catalog catalog;
    private final Streams streams;
    private final SelectInput selecting;

    public QueryPlanner(Binding binding, Catalog catalog, SelectInput selecting) {
        this.binding = binding;
        this.catalog = catalog;
        this.selecting = selecting;
        streams = new Streams(catalog);
    }

    /**
     * Plans a query.
     *
     * @param name of the query; its WHEN cannot name itself
     * @param sql the statement as written
     */
    public Query plan(String name, ParsedStatement.Query parsed, String sql) {
        SelectParts parts = SelectParts.of(binding, parsed.query());
        FromSource source = new FromClause(binding, streams).source(parts.from());
        new Cycles(binding, catalog).check(name, source);
        String from = source.stream().name();
        Optional<Query> atRest =
                parsed.when() == null && selecting.isAtRest(catalog, from)
                        ? catalog.find(from)
                        : Optional.empty();
        Operator root = root(parts, source, atRest);
        Optional<When> when =
                parsed.when() == null
                        ? Optional.empty()
                        : Optional.of(new WhenPlanner(binding, catalog).plan(name, parsed));
        return new BudgetClause(binding).of(parsed, new Query(name, root, when, sql));
    }

    private Operator root(SelectParts parts, FromSource source, Optional<Query> atRest) {
        RowScope rows = new RowScope(binding, streams, source, parts);
        if (source.stream().form() == Stream.Form.FLOWS) {
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
