package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOperator;

/** Plans SELECT … UNION ALL SELECT …: one stream of the rows of all. */
final class UnionClause {
    private final Binding binding;
    private final Streams streams;
    private final InnerQueries inner;

    UnionClause(Binding binding, Streams streams, InnerQueries inner) {
        this.binding = binding;
        this.streams = streams;
        this.inner = inner;
    }

    /** Returns the stream under a name. Its columns have the names of the first query. */
    Stream stream(SqlCall union, String name) {
        List<SqlNode> nodes = queries(union);
        List<Query> queries = new ArrayList<>();
        Stream first = null; // has the names
        for (SqlNode node : nodes) {
            Query query = inner.query(node);
            first = first == null ? streams.of(query) : first;
            check(node, first, streams.of(query));
            queries.add(inner.named(query, first.columns()));
        }
        List<Stream> all = queries.stream().map(streams::of).toList();
        List<Variable> columns = new ArrayList<>();
        for (int c = 0; c < first.columns().size(); c++) {
            int column = c;
            Variable own = first.columns().get(c);
            boolean nullable =
                    all.stream().anyMatch(s -> s.columns().get(column).type().nullable());
            columns.add(Variable.column(own.name(), nullable ? own.type().orNull() : own.type()));
        }
        List<String> names = queries.stream().map(Query::name).toList();
        return new Stream(
                name,
                StreamType.ofQuery(String.join(", ", names)),
                Stream.Form.ROWS,
                columns,
                times(all),
                first.isTable(),
                Optional.of(new Combination.Union(names)));
    }

    /** Returns the queries from first to last. A chain of unions is a tree to the left. */
    private List<SqlNode> queries(SqlCall union) {
        Deque<SqlNode> queries = new ArrayDeque<>();
        SqlNode at = union;
        while (at.getKind() == SqlKind.UNION) {
            SqlCall call = (SqlCall) at;
            if (!((SqlSetOperator) call.getOperator()).isAll()) {
                throw binding.notSupported(
                        call,
                        "UNION without ALL",
                        "SELECT DISTINCT … FROM (… UNION ALL …) leaves equal rows out");
            }
            queries.addFirst(call.operand(1));
            at = call.operand(0);
        }
        queries.addFirst(at);
        return List.copyOf(queries);
    }

    private void check(SqlNode at, Stream first, Stream other) {
        if (first.columns().size() != other.columns().size()) {
            throw invalid(
                    at,
                    "the first query of UNION ALL has "
                            + first.columns().size()
                            + " columns, and this one "
                            + other.columns().size(),
                    "select as many columns in each");
        }
        for (int c = 0; c < first.columns().size(); c++) {
            Variable one = first.columns().get(c);
            Variable two = other.columns().get(c);
            if (one.type().kind() != two.type().kind()) {
                throw binding.mismatch(
                        at,
                        two.name()
                                + " is "
                                + two.type().kind()
                                + ", and "
                                + one.name()
                                + " in its place in the first query of UNION ALL is "
                                + one.type().kind(),
                        "CAST one of them");
            }
        }
        if (first.isTable() != other.isTable()) {
            throw invalid(
                    at,
                    "UNION ALL of totals and of rows with a time",
                    "give all queries windows, or none");
        }
    }

    /** Returns the times that all have in the same place. */
    private static List<TimeColumn> times(List<Stream> all) {
        Stream first = all.get(0);
        List<TimeColumn> times = new ArrayList<>();
        for (TimeColumn time : first.times()) {
            int place = place(first, time.name());
            boolean common =
                    all.stream()
                            .allMatch(
                                    stream ->
                                            stream.time(stream.columns().get(place).name())
                                                    .filter(t -> t.reads() == time.reads())
                                                    .isPresent());
            if (common) {
                times.add(time);
            }
        }
        return times;
    }

    private static int place(Stream stream, String column) {
        return stream.columns().stream().map(Variable::name).toList().indexOf(column);
    }

    /** Returns a query whose columns have the names of another. */
    static Query named(Query query, List<Variable> columns) {
        List<Operator.Named> outputs = new ArrayList<>();
        List<String> before = query.columns().stream().map(Variable::name).toList();
        for (int c = 0; c < columns.size(); c++) {
            outputs.add(
                    new Operator.Named(
                            columns.get(c).name(), query.projection().outputs().get(c).expr()));
        }
        Operator project = new Operator.Project(query.projection().input(), outputs);
        if (!(query.root() instanceof Operator.Sort sort)) {
            return query.with(project, query.budget());
        }
        List<Operator.Order> orders = new ArrayList<>();
        for (Operator.Order order : sort.orders()) {
            String name = columns.get(before.indexOf(order.column())).name();
            orders.add(new Operator.Order(name, order.descending(), order.nullsFirst()));
        }
        return query.with(
                new Operator.Sort(project, orders, sort.limit(), sort.offset()), query.budget());
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
