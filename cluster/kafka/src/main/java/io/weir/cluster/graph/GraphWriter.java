package io.weir.cluster.graph;

import io.weir.cluster.wire.GraphAggregate;
import io.weir.cluster.wire.GraphAssignment;
import io.weir.cluster.wire.GraphBudget;
import io.weir.cluster.wire.GraphCall;
import io.weir.cluster.wire.GraphEquation;
import io.weir.cluster.wire.GraphExpr;
import io.weir.cluster.wire.GraphFold;
import io.weir.cluster.wire.GraphFoldCall;
import io.weir.cluster.wire.GraphInet;
import io.weir.cluster.wire.GraphJoin;
import io.weir.cluster.wire.GraphJoinSide;
import io.weir.cluster.wire.GraphLiteral;
import io.weir.cluster.wire.GraphNamed;
import io.weir.cluster.wire.GraphOperator;
import io.weir.cluster.wire.GraphProject;
import io.weir.cluster.wire.GraphScan;
import io.weir.cluster.wire.GraphSort;
import io.weir.cluster.wire.GraphStateWord;
import io.weir.cluster.wire.GraphSubQuery;
import io.weir.cluster.wire.GraphUnion;
import io.weir.cluster.wire.GraphValues;
import io.weir.cluster.wire.GraphVariable;
import io.weir.cluster.wire.QueryGraph;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.table.ValueSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Writes the plan of one query as a message. One thread. */
public final class GraphWriter {
    static final int FORMAT = 1;

    /** The format of a graph whose windows have an offset, which version 0.1 does not know. */
    static final int OFFSETS = 2;

    /** The format of a graph with other parts that version 0.1 does not know. */
    static final int NEWEST = 3;

    private final QueryGraph.Builder graph = QueryGraph.newBuilder().setFormat(FORMAT);

    /** By identity: parts that are one object stay one. */
    private final IdentityHashMap<Expr, Integer> exprs = new IdentityHashMap<>();

    private final Map<Fold, Integer> folds = new HashMap<>();

    private GraphWriter() {}

    /**
     * Returns the plan, without the query's name and text.
     *
     * @param release that planned it
     */
    public static QueryGraph of(Query query, String release) {
        GraphWriter writer = new GraphWriter();
        writer.graph.setRelease(release);
        writer.operators(query.root());
        query.when().ifPresent(when -> writer.graph.setWhen(GraphWhens.of(when, writer::expr)));
        query.budget().ifPresent(budget -> writer.graph.setBudget(writer.budget(budget)));
        query.parts().forEach(part -> writer.graph.addSubQuery(subQuery(part, release)));
        return writer.graph.build();
    }

    private static GraphSubQuery subQuery(Query part, String release) {
        return GraphSubQuery.newBuilder()
                .setNumber(SubQueryNames.number(part.name()).orElseThrow())
                .setGraph(of(part, release))
                .build();
    }

    private void operators(Operator operator) {
        GraphOperator.Builder made = GraphOperator.newBuilder();
        if (operator instanceof Operator.Scan scan) {
            made.setScan(scan(scan));
        } else if (operator instanceof Operator.Filter filter) {
            operators(filter.input());
            made.setFilter(expr(filter.condition()));
        } else if (operator instanceof Operator.Project project) {
            operators(project.input());
            GraphProject.Builder outputs = GraphProject.newBuilder();
            project.outputs().forEach(output -> outputs.addOutput(named(output)));
            made.setProject(outputs);
        } else if (operator instanceof Operator.Aggregate aggregate) {
            operators(aggregate.input());
            made.setAggregate(aggregate(aggregate));
        } else if (operator instanceof Operator.Sort sort) {
            operators(sort.input());
            made.setSort(sort(sort));
        } else if (operator instanceof Operator.Over over) {
            operators(over.input());
            made.setOver(GraphOvers.of(over, this::expr));
        }
        graph.addOperator(made);
    }

    private GraphScan scan(Operator.Scan scan) {
        StreamType type = scan.type();
        GraphScan.Builder made =
                GraphScan.newBuilder()
                        .setStream(type.name())
                        .setCarrier(type.carrier().name())
                        .setOrigin(type.origin().name())
                        .setSpread(type.spread().name())
                        .setAccess(type.access().name())
                        .setTime(scan.time())
                        .setReads(scan.reads().name())
                        .setTable(scan.isTable());
        scan.columns().forEach(column -> made.addColumn(expr(column)));
        scan.of().ifPresent(several -> combination(several, made));
        return made.build();
    }

    private void combination(Combination several, GraphScan.Builder made) {
        if (several instanceof Combination.Union union) {
            made.setUnion(GraphUnion.newBuilder().addAllQuery(union.queries()));
        } else if (several instanceof Combination.Join join) {
            GraphJoin.Builder joined =
                    GraphJoin.newBuilder()
                            .setKind(join.kind().name())
                            .setLeft(side(join.left()))
                            .setRight(side(join.right()));
            join.equations()
                    .forEach(
                            one ->
                                    joined.addEquation(
                                            GraphEquation.newBuilder()
                                                    .setLeft(one.left())
                                                    .setRight(one.right())));
            join.residual().ifPresent(condition -> joined.setResidual(expr(condition)));
            made.setJoin(joined);
        }
    }

    private static GraphJoinSide side(Combination.Side side) {
        return GraphJoinSide.newBuilder()
                .setQuery(side.query())
                .setPrefix(side.prefix())
                .setTime(side.time())
                .setReads(side.reads().name())
                .setSizeNs(side.sizeNs())
                .build();
    }

    private GraphAggregate aggregate(Operator.Aggregate aggregate) {
        GraphAggregate.Builder made = GraphAggregate.newBuilder();
        aggregate
                .window()
                .filter(window -> window.offsetNs() != 0)
                .ifPresent(window -> graph.setFormat(OFFSETS));
        aggregate
                .window()
                .filter(window -> window.rows().needsEmptyWindows())
                .ifPresent(window -> graph.setFormat(NEWEST));
        aggregate.window().ifPresent(window -> made.setWindow(GraphWindows.of(window)));
        aggregate.keys().forEach(key -> made.addKey(named(key)));
        aggregate.folds().forEach(call -> made.addFold(call(call)));
        aggregate.wholeBy().stream().map(Enum::name).sorted().forEach(made::addWholeBy);
        return made.build();
    }

    private static GraphSort sort(Operator.Sort sort) {
        GraphSort.Builder made = GraphSort.newBuilder().setOffset(sort.offset());
        sort.limit().ifPresent(made::setLimit);
        sort.orders().forEach(order -> made.addOrder(GraphOvers.of(order)));
        return made.build();
    }

    private GraphNamed named(Operator.Named named) {
        return GraphNamed.newBuilder().setName(named.name()).setExpr(expr(named.expr())).build();
    }

    private GraphFoldCall call(Operator.FoldCall call) {
        GraphFoldCall.Builder made =
                GraphFoldCall.newBuilder()
                        .setName(call.name())
                        .setFold(fold(call.fold()))
                        .setDistinct(call.distinct());
        call.arguments().forEach(argument -> made.addArgument(expr(argument)));
        call.filter().ifPresent(filter -> made.setFilter(expr(filter)));
        return made.build();
    }

    private int fold(Fold fold) {
        Integer known = folds.get(fold);
        if (known != null) {
            return known;
        }
        GraphFold.Builder made =
                GraphFold.newBuilder()
                        .setName(fold.name())
                        .setResult(expr(fold.result()))
                        .setOrdered(fold.ordered());
        fold.arguments().forEach(argument -> made.addArgument(expr(argument)));
        for (Fold.StateWord word : fold.state()) {
            made.addState(
                    GraphStateWord.newBuilder()
                            .setName(word.name())
                            .setKind(word.kind().name())
                            .setInitial(expr(word.initial())));
        }
        fold.update().forEach(assignment -> made.addUpdate(assignment(assignment)));
        fold.merge().forEach(assignment -> made.addMerge(assignment(assignment)));
        graph.addFold(made);
        folds.put(fold, graph.getFoldCount() - 1);
        return graph.getFoldCount() - 1;
    }

    private GraphAssignment assignment(Fold.Assignment assignment) {
        return GraphAssignment.newBuilder()
                .setState(assignment.state())
                .setValue(expr(assignment.value()))
                .build();
    }

    private GraphBudget budget(Budget budget) {
        GraphBudget.Builder made =
                GraphBudget.newBuilder()
                        .setMemoryBytes(budget.memoryBytes())
                        .setOverflow(budget.overflow().name());
        budget.rank().ifPresent(rank -> made.setRank(call(rank)));
        return made.build();
    }

    private int expr(Expr expr) {
        Integer known = exprs.get(expr);
        if (known != null) {
            return known;
        }
        GraphExpr.Builder made =
                GraphExpr.newBuilder()
                        .setKind(expr.type().kind().name())
                        .setNullable(expr.type().nullable());
        if (expr instanceof Expr.Literal literal) {
            made.setLiteral(literal(literal.value()));
        } else if (expr instanceof Expr.Variable variable) {
            made.setVariable(
                    GraphVariable.newBuilder()
                            .setScope(variable.scope().name())
                            .setName(variable.name()));
        } else if (expr instanceof Expr.Call call) {
            made.setCall(call(call));
        }
        graph.addExpr(made);
        exprs.put(expr, graph.getExprCount() - 1);
        return graph.getExprCount() - 1;
    }

    private GraphCall call(Expr.Call call) {
        Function function = call.function();
        if (!GraphFunctions.isKnown(function)) {
            throw new IllegalStateException("no reader of a graph knows " + function);
        }
        GraphCall.Builder made = GraphCall.newBuilder().setFunction(function.name());
        List<Kind> kinds = function.arguments();
        kinds.forEach(kind -> made.addKind(kind.name()));
        made.setResult(function.result() == null ? "" : function.result().name());
        call.arguments().forEach(argument -> made.addArgument(expr(argument)));
        return made.build();
    }

    private static GraphLiteral literal(Object value) {
        GraphLiteral.Builder made = GraphLiteral.newBuilder();
        if (value instanceof Boolean truth) {
            made.setTruth(truth);
        } else if (value instanceof Long whole) {
            made.setWhole(whole);
        } else if (value instanceof Double real) {
            made.setReal(Double.doubleToRawLongBits(real));
        } else if (value instanceof String text) {
            made.setText(text);
        } else if (value instanceof Inet inet) {
            made.setInet(
                    GraphInet.newBuilder()
                            .setFamily(inet.family())
                            .setHigh(inet.high())
                            .setLow(inet.low()));
        } else if (value instanceof ValueSet set) {
            GraphValues.Builder values = GraphValues.newBuilder().setKind(set.kind().name());
            set.values().forEach(one -> values.addValue(literal(one)));
            made.setValues(values);
        } else if (value instanceof LookupTable table) {
            made.setTable(GraphTables.of(table));
        } else if (value != null) {
            throw new IllegalStateException("no graph has a literal " + value);
        }
        return made.build();
    }
}
