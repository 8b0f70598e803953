package io.weir.cluster.graph;

import io.weir.cluster.wire.GraphOrder;
import io.weir.cluster.wire.GraphOver;
import io.weir.cluster.wire.GraphOverCall;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** Writes and reads the columns of OVER. Stateless. */
final class GraphOvers {
    private GraphOvers() {}

    /**
     * @param exprs gives the place of an expression
     */
    static GraphOver of(Operator.Over over, ToIntFunction<Expr> exprs) {
        GraphOver.Builder made = GraphOver.newBuilder().setTime(over.time());
        for (OverCall call : over.calls()) {
            GraphOverCall.Builder one =
                    GraphOverCall.newBuilder()
                            .setName(call.name())
                            .setFunction(call.function().name())
                            .addAllPartition(call.partition())
                            .setFromRows(call.frame().fromRows())
                            .setToRows(call.frame().toRows())
                            .setPeers(call.frame().peers())
                            .setHistory(call.history())
                            .setKind(call.type().kind().name())
                            .setNullable(call.type().nullable());
            call.arguments().forEach(a -> one.addArgument(exprs.applyAsInt(a)));
            call.orders().forEach(order -> one.addOrder(of(order)));
            made.addCall(one);
        }
        return made.build();
    }

    static GraphOrder of(Order order) {
        return GraphOrder.newBuilder()
                .setColumn(order.column())
                .setDescending(order.descending())
                .setNullsFirst(order.nullsFirst())
                .build();
    }

    /**
     * @param exprs gives the expression of a place
     */
    static Operator.Over over(GraphOver over, Operator input, IntFunction<Expr> exprs) {
        List<OverCall> calls = over.getCallList().stream().map(call -> call(call, exprs)).toList();
        return new Operator.Over(input, over.getTime(), calls);
    }

    private static OverCall call(GraphOverCall call, IntFunction<Expr> exprs) {
        return new OverCall(
                call.getName(),
                OverFunction.valueOf(call.getFunction()),
                call.getArgumentList().stream().map(exprs::apply).toList(),
                call.getPartitionList(),
                call.getOrderList().stream().map(GraphOvers::order).toList(),
                new OverFrame(call.getFromRows(), call.getToRows(), call.getPeers()),
                call.getHistory(),
                new Type(Kind.valueOf(call.getKind()), call.getNullable()));
    }

    static Order order(GraphOrder order) {
        return new Order(order.getColumn(), order.getDescending(), order.getNullsFirst());
    }
}
