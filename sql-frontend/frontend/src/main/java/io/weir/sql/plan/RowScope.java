package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.Magnitude;
import io.weir.operators.function.TextDomain;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.Spelling;
import java.util.ArrayList;
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
    private final List<JoinedTable> tables;
    private Optional<Correlated> correlated = Optional.empty();

    /** Makes the scope of SELECT. */
    RowScope(Binding binding, Streams streams, FromSource source, SelectParts parts) {
        this(
                binding,
                streams,
                source,
                "SELECT",
                new GivenNames(binding, parts.items()),
                new IdentityHashMap<>(),
                new ArrayList<>());
        for (TableJoin join : source.tables()) {
            ExpressionBinder on = new ExpressionBinder(binding, in("ON"));
            tables.add(new JoinedTable(binding, join, on::bind));
        }
    }

    /** Makes the scope of a clause before SELECT. */
    RowScope(Binding binding, Streams streams, FromSource source, String clause) {
        this(
                binding,
                streams,
                source,
                clause,
                new GivenNames(binding, List.of()),
                new IdentityHashMap<>(),
                List.of());
    }

    private RowScope(
            Binding binding,
            Streams streams,
            FromSource source,
            String clause,
            GivenNames given,
            IdentityHashMap<Expr, SqlNode> places,
            List<JoinedTable> tables) {
        super(binding, clause);
        this.source = source;
        this.streams = streams;
        this.given = given;
        this.places = places;
        this.tables = tables;
    }

    /** Makes a scope with the same rows, which adds columns to them. */
    RowScope(RowScope rows) {
        this(rows, rows.clause);
    }

    RowScope(RowScope rows, String clause) {
        this(rows.binding, rows.streams, rows.source, clause, rows.given, rows.places, rows.tables);
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
        Optional<Expr> ofTable = ofTable(name);
        if (ofTable.isPresent()) {
            return ofTable.get();
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

    /** Returns a key, or an argument of a fold. The query keeps its texts, which must be few. */
    Expr kept(SqlNode at, Expr expr) {
        boolean ofRows = source.stream().form() == Stream.Form.ROWS;
        if (!ofRows && TextDomain.kept(expr) > TextDomain.MOST) {
            throw binding.notSupported(
                    at,
                    "a text that can have more than " + TextDomain.MOST + " values, as a group,",
                    "group by the columns in it: SELECT can make a text of them");
        }
        return expr;
    }

    /** Returns the place in the text of a variable that this scope made. */
    SqlNode place(Variable variable) {
        return places.get(variable);
    }

    /** Returns the input's column of this name, of the stream or of a table that is joined. */
    Optional<Variable> find(String column) {
        return source.stream()
                .find(column)
                .or(
                        () ->
                                tables.stream()
                                        .flatMap(table -> table.columns().stream())
                                        .filter(c -> c.name().equals(column))
                                        .findFirst());
    }

    /** Returns the lookup tables of FROM. */
    List<JoinedTable> tables() {
        return tables;
    }

    /** Returns the conditions of joins that keep only rows with a match. */
    List<Expr> matches() {
        return tables.stream().filter(one -> !one.isLeft()).map(JoinedTable::isFound).toList();
    }

    /** Returns the value of a column of a table that is joined. */
    private Optional<Expr> ofTable(SqlIdentifier name) {
        if (name.isStar() || tables.isEmpty() || name.names.size() > 2) {
            return Optional.empty();
        }
        String column = name.names.get(name.names.size() - 1);
        String qualifier = name.isSimple() ? null : name.names.get(0);
        List<JoinedTable> having =
                tables.stream()
                        .filter(
                                table ->
                                        qualifier == null
                                                ? table.has(column)
                                                : table.alias().equals(qualifier))
                        .toList();
        boolean ofStream = qualifier == null && source.stream().find(column).isPresent();
        if (having.size() + (ofStream ? 1 : 0) > 1) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    name,
                    "several parts of FROM have a column " + column,
                    "write " + having.get(0).alias() + "." + column + ", or another's");
        }
        return having.stream().findFirst().map(table -> table.value(name, column));
    }

    @Override
    public boolean canLookUp(Expr value) {
        return true;
    }

    @Override
    public Optional<LookupTable> table(SqlIdentifier name) {
        return Streams.named(name.names).flatMap(streams::table);
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
