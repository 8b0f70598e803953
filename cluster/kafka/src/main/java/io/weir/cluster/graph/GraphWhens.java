package io.weir.cluster.graph;

import io.weir.cluster.wire.GraphCorrelation;
import io.weir.cluster.wire.GraphKey;
import io.weir.cluster.wire.GraphWhen;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** Reads and writes the WHEN of a graph. Stateless. */
final class GraphWhens {
    private GraphWhens() {}

    static GraphWhen of(When when, ToIntFunction<Expr> place) {
        List<String> upstreams = when.upstreams();
        GraphWhen.Builder made =
                GraphWhen.newBuilder()
                        .setUpstream(upstreams.get(0))
                        .addAllOtherUpstream(upstreams.subList(1, upstreams.size()))
                        .setCondition(place.applyAsInt(when.condition()));
        when.until().ifPresent(until -> made.setUntil(place.applyAsInt(until)));
        when.forNs().ifPresent(made::setForNs);
        when.correlation().ifPresent(used -> made.setCorrelation(of(used, place)));
        return made.build();
    }

    private static GraphCorrelation of(Correlation used, ToIntFunction<Expr> place) {
        GraphCorrelation.Builder made =
                GraphCorrelation.newBuilder().setMost(used.most()).setIdleNs(used.idleNs());
        for (Equation equation : used.equations()) {
            GraphKey.Builder key =
                    GraphKey.newBuilder()
                            .setColumn(place.applyAsInt(equation.column()))
                            .setValue(place.applyAsInt(equation.value()));
            equation.others().forEach(other -> key.addOther(place.applyAsInt(other)));
            made.addKey(key);
        }
        used.values().forEach(value -> made.addValue(place.applyAsInt(value)));
        return made.build();
    }

    /**
     * @param expr finds an expression by its place
     * @param column finds a column by its place
     */
    static When when(GraphWhen when, IntFunction<Expr> expr, IntFunction<Variable> column) {
        List<String> upstreams = new ArrayList<>(List.of(when.getUpstream()));
        upstreams.addAll(when.getOtherUpstreamList());
        Optional<Expr> until =
                when.hasUntil() ? Optional.of(expr.apply(when.getUntil())) : Optional.empty();
        Optional<Correlation> used =
                when.hasCorrelation()
                        ? Optional.of(correlation(when.getCorrelation(), expr, column))
                        : Optional.empty();
        return new When(
                upstreams,
                expr.apply(when.getCondition()),
                until,
                when.hasForNs() ? Optional.of(when.getForNs()) : Optional.empty(),
                used);
    }

    private static Correlation correlation(
            GraphCorrelation used, IntFunction<Expr> expr, IntFunction<Variable> column) {
        List<Equation> key = new ArrayList<>();
        for (GraphKey one : used.getKeyList()) {
            List<Variable> others = one.getOtherList().stream().map(column::apply).toList();
            key.add(
                    new Equation(
                            column.apply(one.getColumn()), expr.apply(one.getValue()), others));
        }
        List<Variable> values = used.getValueList().stream().map(column::apply).toList();
        return new Correlation(key, values, used.getMost(), used.getIdleNs());
    }
}
