package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.Magnitude;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Spelling;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Names are columns of the stream's rows: in WHERE, GROUP BY, and arguments of aggregates. */
class RowScope extends ConstantScope {
    static final List<String> WINDOW_COLUMNS =
            List.of(Operator.Aggregate.WINDOW_START, Operator.Aggregate.WINDOW_END);

    final FromSource source;
    private final Streams streams;
    private final GivenNames given;
    private final IdentityHashMap<Expr, SqlNode> places;
    private Optional<Correlated> correlated = Optional.empty();

    /** Makes the scope of SELECT. */
    RowScope(Binding binding, Streams streams, FromSource source, SelectParts parts) {
        this(
                binding,
                streams,
                source,
                "SELECT",
                new GivenNames(binding, parts.items()),
                new IdentityHashMap<>());
    }

    /** Makes the scope of a clause before SELECT. */
    RowScope(Binding binding, Streams streams, FromSource source, String clause) {
        this(
                binding,
                streams,
                source,
                clause,
                new GivenNames(binding, List.of()),
                new IdentityHashMap<>());
    }

    private RowScope(
            Binding binding,
            Streams streams,
            FromSource source,
            String clause,
            GivenNames given,
            IdentityHashMap<Expr, SqlNode> places) {
        super(binding, clause);
        this.source = source;
        this.streams = streams;
        this.given = given;
        this.places = places;
    }

    /** Makes a scope with the same rows, which adds columns to them. */
    RowScope(RowScope rows) {
        this(rows, rows.clause);
    }

    RowScope(RowScope rows, String clause) {
        this(rows.binding, rows.streams, rows.source, clause, rows.given, rows.places);
        correlated = rows.correlated;
    }

    /** Returns the scope of a query that uses columns of its upstream. */
    RowScope with(Correlated upstream) {
        RowScope scope = new RowScope(this);
        scope.correlated = Optional.of(upstream);
        return scope;
    }

    /** Returns the upstream whose columns the query uses; empty if it uses none. */
    Optional<Correlated> correlated() {
        return correlated;
    }

    /** Returns the scope of another clause. */
    RowScope in(String otherClause) {
        return new RowScope(this, otherClause);
    }

    @Override
    public Expr column(SqlIdentifier name) {
        if (correlated.isPresent() && correlated.get().isColumn(name)) {
            return correlated.get().value(name);
        }
        String column = columnName(name);
        Variable found = source.stream().find(column).orElseThrow(() -> unknown(name, column));
        // Each place has its own variable, so that later errors know the place.
        Variable variable = Variable.column(column, found.type());
        places.put(variable, name);
        return variable;
    }

    @Override
    public int bits(Variable column) {
        boolean ofRows = source.stream().form() == Stream.Form.ROWS;
        return ofRows ? Long.SIZE : Magnitude.ofPackets(column);
    }

    /** Returns the place in the text of a variable that this scope made. */
    SqlNode place(Variable variable) {
        return places.get(variable);
    }

    Optional<Variable> find(String column) {
        return source.stream().find(column);
    }

    /** Returns the column's name, with its qualifier checked. */
    String columnName(SqlIdentifier name) {
        if (name.isStar()) {
            throw invalid(name, "* cannot stand in " + clause, null);
        }
        int last = name.names.size() - 1;
        if (last > 0 && !isQualifier(name.names.get(last - 1), last)) {
            throw otherStream(name, name.names.get(0));
        }
        List<String> columns = source.columns(name);
        if (columns.size() > 1) {
            throw invalid(
                    name,
                    "several sides of the join have a column " + name.names.get(last),
                    "write " + String.join(" or ", columns));
        }
        return columns.isEmpty() ? name.names.get(last) : columns.get(0);
    }

    private boolean isQualifier(String qualifier, int last) {
        return last == 1 && source.isQualifier(qualifier);
    }

    private WeirException otherStream(SqlIdentifier at, String qualifier) {
        if (streams.find(qualifier).isPresent() && !qualifier.equals(source.stream().name())) {
            return binding.notSupported(
                    at,
                    "using columns of " + qualifier + " outside of WHEN",
                    "a query can wait for " + qualifier + ", and read " + source.alias() + " only");
        }
        return binding.error(
                ErrorCode.UNKNOWN_STREAM,
                at,
                qualifier + " is not a stream of this query",
                Suggestion.hint(
                        qualifier, List.of(source.alias()), "its stream is " + source.alias()));
    }

    private WeirException unknown(SqlIdentifier at, String column) {
        if (isOfResult(column)) {
            return ofResult(at, column);
        }
        return binding.error(
                ErrorCode.UNKNOWN_COLUMN,
                at,
                "there is no column " + column + " in " + source.stream().name(),
                given.hint(column, clause).orElseGet(() -> spelled(column)));
    }

    private String spelled(String column) {
        List<String> known = source.stream().columns().stream().map(Variable::name).toList();
        boolean hidden =
                source.stream().of().isPresent()
                        || SubQueryNames.isOne(source.stream().type().name());
        return Spelling.ofColumn(
                column,
                known,
                hidden
                        ? "its columns are " + String.join(", ", known)
                        : "DESCRIBE " + source.stream().name() + " lists them");
    }

    private WeirException ofResult(SqlIdentifier at, String column) {
        if (!WINDOW_COLUMNS.contains(column)) {
            return invalid(at, column + " belongs to the rows of queries that aggregate", null);
        }
        if (clause.equals("GROUP BY")) {
            return invalid(
                    at,
                    column + " is no column to group by: it comes with the window",
                    "group by " + tumble() + " alone, and select " + column);
        }
        boolean late = clause.equals("WHERE") || clause.equals("an aggregate");
        return invalid(
                at,
                late
                        ? column + " cannot stand in " + clause + ": windows are made later"
                        : "there is no " + column + ": the query has no window",
                late
                        ? "use HAVING"
                        : source.stream().isTable() && source.stream().type().isOfQuery()
                                ? "give "
                                        + source.stream().name()
                                        + " a window, and select it there"
                                : "group by " + tumble() + " to have windows");
    }

    private String tumble() {
        TimeColumn time = source.stream().time();
        return "TUMBLE(" + (time.isShown() ? time.name() : WINDOW_COLUMNS.get(1)) + ", …)";
    }

    private static boolean isOfResult(String column) {
        return WINDOW_COLUMNS.contains(column)
                || Operator.Row.COLUMNS.stream().anyMatch(c -> c.name().equals(column))
                || Operator.Row.OF_OVERFLOW.stream().anyMatch(c -> c.name().equals(column));
    }
}
