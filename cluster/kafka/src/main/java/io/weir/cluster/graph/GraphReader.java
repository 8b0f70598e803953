package io.weir.cluster.graph;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.weir.cluster.wire.GraphAggregate;
import io.weir.cluster.wire.GraphAssignment;
import io.weir.cluster.wire.GraphBudget;
import io.weir.cluster.wire.GraphCall;
import io.weir.cluster.wire.GraphExpr;
import io.weir.cluster.wire.GraphFold;
import io.weir.cluster.wire.GraphFoldCall;
import io.weir.cluster.wire.GraphInet;
import io.weir.cluster.wire.GraphJoin;
import io.weir.cluster.wire.GraphJoinSide;
import io.weir.cluster.wire.GraphLiteral;
import io.weir.cluster.wire.GraphNamed;
import io.weir.cluster.wire.GraphOperator;
import io.weir.cluster.wire.GraphScan;
import io.weir.cluster.wire.GraphSort;
import io.weir.cluster.wire.GraphStateWord;
import io.weir.cluster.wire.GraphSubQuery;
import io.weir.cluster.wire.GraphValues;
import io.weir.cluster.wire.QueryGraph;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.table.ValueSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Reads the plan of one query. It refuses all that it does not know, also fields: to ignore them
 * would be another query. One thread.
 */
public final class GraphReader {
    private final QueryGraph graph;
    private final GraphTables tables;
    private final List<Expr> exprs = new ArrayList<>();
    private final List<Fold> folds = new ArrayList<>();

    private GraphReader(QueryGraph graph, GraphTables tables) {
        this.graph = graph;
        this.tables = tables;
    }

    /** A part that this release does not know. */
    static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unknown(String what) {
            super(what);
        }
    }

    /**
     * Returns the query.
     *
     * @param name of the query
     * @param sql its statement, for people
     * @param release that reads, for the error
     * @param tables that it looks up
     * @throws WeirException OTHER_VERSION
     */
    public static Query query(
            QueryGraph graph, String name, String sql, String release, GraphTables tables) {
        try {
            checkFields(graph);
            return checked(graph, name, sql, tables);
        } catch (Unknown | IllegalArgumentException e) {
            String writer = graph.getRelease().isEmpty() ? "?" : graph.getRelease();
            throw new WeirException(
                    ErrorCode.OTHER_VERSION,
                    "the query "
                            + name
                            + " was planned by Weir "
                            + writer
                            + ", and Weir "
                            + release
                            + " does not know a part of it: "
                            + e.getMessage(),
                    "run it on workers of that release, or create it again on this one");
        }
    }

    private static Query checked(QueryGraph graph, String name, String sql, GraphTables tables) {
        if (graph.getFormat() < GraphWriter.FORMAT || graph.getFormat() > GraphWriter.NEWEST) {
            throw new Unknown("format " + graph.getFormat());
        }
        return new GraphReader(graph, tables).query(name, sql);
    }

    private static void checkFields(Message message) {
        for (int field : message.getUnknownFields().asMap().keySet()) {
            throw new Unknown("field " + field + " of " + message.getDescriptorForType().getName());
        }
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            if (field.getValue() instanceof Message part) {
                checkFields(part);
            } else if (field.getValue() instanceof List<?> parts) {
                for (Object part : parts) {
                    if (part instanceof Message inside) {
                        checkFields(inside);
                    }
                }
            }
        }
    }

    private Query query(String name, String sql) {
        graph.getExprList().forEach(expr -> exprs.add(made(expr)));
        graph.getFoldList().forEach(fold -> folds.add(made(fold)));
        Operator root = null;
        for (GraphOperator operator : graph.getOperatorList()) {
            if ((root == null) != operator.hasScan()) {
                throw new Unknown("a graph that is no chain from one scan");
            }
            root = made(operator, root);
        }
        if (root == null) {
            throw new Unknown("a graph without operators");
        }
        Optional<When> when =
                graph.hasWhen()
                        ? Optional.of(GraphWhens.when(graph.getWhen(), this::expr, this::variable))
                        : none();
        Optional<Budget> budget = graph.hasBudget() ? Optional.of(made(graph.getBudget())) : none();
        List<Query> parts = new ArrayList<>();
        for (GraphSubQuery part : graph.getSubQueryList()) {
            String its = SubQueryNames.of(name, part.getNumber());
            parts.add(checked(part.getGraph(), its, sql, tables));
        }
        return new Query(name, root, when, sql, budget, parts);
    }

    private static <T> Optional<T> none() {
        return Optional.empty();
    }

    private Operator made(GraphOperator operator, Operator input) {
        return switch (operator.getWhatCase()) {
            case SCAN -> made(operator.getScan());
            case FILTER -> new Operator.Filter(input, expr(operator.getFilter()));
            case PROJECT ->
                    new Operator.Project(input, named(operator.getProject().getOutputList()));
            case AGGREGATE -> made(operator.getAggregate(), input);
            case SORT -> made(operator.getSort(), input);
            case OVER -> GraphOvers.over(operator.getOver(), input, this::expr);
            case WHAT_NOT_SET -> throw new Unknown("an operator");
        };
    }

    private Operator made(GraphScan scan) {
        StreamType type =
                new StreamType(
                        scan.getStream(),
                        of(StreamType.Carrier.class, scan.getCarrier()),
                        of(StreamType.Origin.class, scan.getOrigin()),
                        of(StreamType.Spread.class, scan.getSpread()),
                        of(StreamType.Access.class, scan.getAccess()));
        List<Expr.Variable> columns = all(scan.getColumnList(), this::variable);
        if (!type.isOfQuery()) {
            checkPackets(type, columns);
        }
        return new Operator.Scan(
                type,
                columns,
                scan.getTime(),
                of(RowTime.class, scan.getReads()),
                scan.getTable(),
                combination(scan));
    }

    private Optional<Combination> combination(GraphScan scan) {
        if (scan.hasUnion()) {
            return Optional.of(new Combination.Union(scan.getUnion().getQueryList()));
        } else if (!scan.hasJoin()) {
            return none();
        }
        GraphJoin join = scan.getJoin();
        return Optional.of(
                new Combination.Join(
                        of(Combination.JoinKind.class, join.getKind()),
                        side(join.getLeft()),
                        side(join.getRight()),
                        join.getEquationList().stream()
                                .map(e -> new Combination.Equation(e.getLeft(), e.getRight()))
                                .toList(),
                        join.hasResidual() ? Optional.of(expr(join.getResidual())) : none()));
    }

    private static Combination.Side side(GraphJoinSide side) {
        return new Combination.Side(
                side.getQuery(),
                side.getPrefix(),
                side.getTime(),
                of(RowTime.class, side.getReads()),
                side.getSizeNs());
    }

    private static void checkPackets(StreamType type, List<Expr.Variable> columns) {
        if (!StreamType.ofSource(type.name()).equals(Optional.of(type))) {
            throw new Unknown("the stream " + type.name());
        }
        for (Expr.Variable column : columns) {
            if (PacketColumns.find(column.name())
                    .filter(known -> known.variable().equals(column))
                    .isEmpty()) {
                throw new Unknown("the column " + column.name());
            }
        }
    }

    private Operator made(GraphAggregate aggregate, Operator input) {
        Optional<Window> window = none();
        if (aggregate.hasWindow()) {
            window = Optional.of(GraphWindows.window(aggregate.getWindow()));
        }
        Set<PartitionKey> whole = EnumSet.noneOf(PartitionKey.class);
        aggregate.getWholeByList().forEach(key -> whole.add(of(PartitionKey.class, key)));
        return new Operator.Aggregate(
                input,
                window,
                named(aggregate.getKeyList()),
                aggregate.getFoldList().stream().map(this::made).toList(),
                whole);
    }

    private static Operator made(GraphSort sort, Operator input) {
        List<Operator.Order> orders = sort.getOrderList().stream().map(GraphOvers::order).toList();
        Optional<Long> limit = sort.hasLimit() ? Optional.of(sort.getLimit()) : none();
        return new Operator.Sort(input, orders, limit, sort.getOffset());
    }

    private List<Operator.Named> named(List<GraphNamed> list) {
        return list.stream()
                .map(named -> new Operator.Named(named.getName(), expr(named.getExpr())))
                .toList();
    }

    private Operator.FoldCall made(GraphFoldCall call) {
        return new Operator.FoldCall(
                call.getName(),
                at(folds, call.getFold()),
                all(call.getArgumentList(), this::expr),
                call.getDistinct(),
                call.hasFilter() ? Optional.of(expr(call.getFilter())) : none());
    }

    private Fold made(GraphFold fold) {
        List<Fold.StateWord> state = new ArrayList<>();
        for (GraphStateWord word : fold.getStateList()) {
            if (!(expr(word.getInitial()) instanceof Expr.Literal initial)) {
                throw new Unknown("a state that begins with an expression");
            }
            state.add(new Fold.StateWord(word.getName(), of(Kind.class, word.getKind()), initial));
        }
        return new Fold(
                fold.getName(),
                all(fold.getArgumentList(), this::variable),
                state,
                assignments(fold.getUpdateList()),
                assignments(fold.getMergeList()),
                expr(fold.getResult()),
                fold.getOrdered());
    }

    private List<Fold.Assignment> assignments(List<GraphAssignment> list) {
        return list.stream()
                .map(one -> new Fold.Assignment(one.getState(), expr(one.getValue())))
                .toList();
    }

    private Budget made(GraphBudget budget) {
        return new Budget(
                budget.getMemoryBytes(),
                of(Budget.Overflow.class, budget.getOverflow()),
                budget.hasRank() ? Optional.of(made(budget.getRank())) : none());
    }

    private Expr made(GraphExpr expr) {
        Type type = new Type(of(Kind.class, expr.getKind()), expr.getNullable());
        return switch (expr.getWhatCase()) {
            case LITERAL -> new Expr.Literal(value(expr.getLiteral()), type);
            case VARIABLE ->
                    new Expr.Variable(
                            of(Expr.Scope.class, expr.getVariable().getScope()),
                            expr.getVariable().getName(),
                            type);
            case CALL -> made(expr.getCall(), type);
            case WHAT_NOT_SET -> throw new Unknown("an expression");
        };
    }

    private Expr made(GraphCall call, Type type) {
        List<Kind> kinds = call.getKindList().stream().map(kind -> of(Kind.class, kind)).toList();
        Kind result = call.getResult().isEmpty() ? null : of(Kind.class, call.getResult());
        Function function =
                GraphFunctions.find(call.getFunction(), kinds, result)
                        .orElseThrow(
                                () ->
                                        new Unknown(
                                                "the function "
                                                        + call.getFunction()
                                                        + " over "
                                                        + kinds));
        return new Expr.Call(function, all(call.getArgumentList(), this::expr), type);
    }

    private Object value(GraphLiteral literal) {
        return switch (literal.getValueCase()) {
            case TRUTH -> literal.getTruth();
            case WHOLE -> literal.getWhole();
            case REAL -> Double.longBitsToDouble(literal.getReal());
            case TEXT -> literal.getText();
            case INET -> value(literal.getInet());
            case VALUES -> value(literal.getValues());
            case TABLE -> tables.find(literal.getTable());
            case VALUE_NOT_SET -> null;
        };
    }

    private ValueSet value(GraphValues set) {
        List<Object> values = new ArrayList<>();
        set.getValueList().forEach(one -> values.add(value(one)));
        return new ValueSet(of(Kind.class, set.getKind()), values);
    }

    private static Inet value(GraphInet inet) {
        return new Inet(inet.getFamily(), inet.getHigh(), inet.getLow());
    }

    private Expr expr(int place) {
        return at(exprs, place);
    }

    private Expr.Variable variable(int place) {
        if (expr(place) instanceof Expr.Variable variable) {
            return variable;
        }
        throw new Unknown("a column that is an expression");
    }

    private static <T> List<T> all(List<Integer> places, IntFunction<T> made) {
        return places.stream().map(made::apply).toList();
    }

    private static <T> T at(List<T> list, int place) {
        if (place < 0 || place >= list.size()) {
            throw new Unknown("part " + place + " of " + list.size());
        }
        return list.get(place);
    }

    private static <E extends Enum<E>> E of(Class<E> type, String name) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        throw new Unknown(type.getSimpleName() + " " + name);
    }
}
