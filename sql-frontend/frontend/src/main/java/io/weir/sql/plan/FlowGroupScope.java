package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.sql.validate.AggregateFunctions;
import io.weir.sql.validate.ExpressionBinder;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Turns aggregates of flows into aggregates of packets. COUNT(*) counts distinct 5-tuples,
 * SUM(packets) counts packets, SUM(bytes) adds their lengths. An aggregate that needs two passes
 * over packets, such as the largest flow, is refused.
 */
final class FlowGroupScope extends GroupScope {
    private final boolean neverEmpty;

    FlowGroupScope(RowScope rows, Grouping grouping) {
        super(rows, grouping);
        neverEmpty = !grouping.keys().isEmpty();
    }

    @Override
    public Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder) {
        String name = AggregateFunctions.name(call);
        if (AggregateFunctions.isOrdered(call) || AggregateFunctions.isApproximate(call)) {
            throw binding.notSupported(call, name + " over flows", "aggregate packets");
        }
        Optional<Expr> condition = condition(filter);
        if (name.equals("COUNT") && !AggregateFunctions.isDistinct(call)) {
            checkArguments(call);
            return result(FlowMetrics.count(condition));
        }
        Optional<String> metric = metric(call);
        if (metric.isPresent()) {
            return metric(call, name, metric.get(), condition);
        } else if (name.equals("SUM") || name.equals("AVG")) {
            throw binding.notSupported(
                    call, name + " over flows but of packets or bytes", "aggregate packets");
        } else if (!AggregateFunctions.ignoresRepeats(call)) {
            throw binding.notSupported(call, name + " over flows", "aggregate packets");
        }
        return super.aggregate(call, filter, binder);
    }

    private Optional<Expr> condition(SqlNode filter) {
        return filter == null
                ? Optional.empty()
                : Optional.of(
                        new ExpressionBinder(binding, rows.in("FILTER"))
                                .condition(filter, "FILTER"));
    }

    /** No column of a flow is NULL, so a counted argument is only checked. */
    private void checkArguments(SqlCall call) {
        if (!AggregateFunctions.isCountOfRows(call)) {
            for (SqlNode operand : call.getOperandList()) {
                if (!isMetric(operand)) {
                    new ExpressionBinder(binding, rows.in("COUNT")).bind(operand);
                }
            }
        }
    }

    private boolean isMetric(SqlNode node) {
        return node instanceof SqlIdentifier id
                && !id.isStar()
                && FlowMetrics.NAMES.contains(rows.columnName(id));
    }

    private Optional<String> metric(SqlCall call) {
        return call.operandCount() == 1 && isMetric(call.operand(0))
                ? Optional.of(rows.columnName(call.operand(0)))
                : Optional.empty();
    }

    private Expr metric(SqlCall call, String name, String metric, Optional<Expr> filter) {
        boolean adds = metric.equals("packets") || metric.equals("bytes");
        boolean start = metric.equals("time_flow_start") && name.equals("MIN");
        boolean end = metric.equals("time_flow_end") && name.equals("MAX");
        boolean flags = metric.equals("tcp_flags") && name.equals("BIT_OR");
        boolean plain = !AggregateFunctions.isDistinct(call);
        Expr total = result(FlowMetrics.of(metric, neverEmpty, filter));
        if (plain && (adds && name.equals("SUM") || start || end || flags)) {
            return total;
        } else if (plain && adds && name.equals("AVG")) {
            Expr flows = result(FlowMetrics.count(filter));
            return binding.call(
                    call,
                    "/",
                    binding.call(call, "to_double", total),
                    binding.call(call, "to_double", flows));
        }
        throw binding.notSupported(
                call,
                name + " of a single flow's " + metric,
                "SUM and AVG of packets and bytes are, MIN(time_flow_start), MAX(time_flow_end),"
                        + " BIT_OR(tcp_flags)");
    }
}
