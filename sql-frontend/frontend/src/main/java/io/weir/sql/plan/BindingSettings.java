package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.List;
import java.util.Optional;

/**
 * Reads WITH (bindings = 10000, binding_idle = INTERVAL '5' MINUTE).
 *
 * @param idleNs 0 if bindings stay
 */
record BindingSettings(int most, long idleNs) {
    static final String BINDINGS = "bindings";
    static final String IDLE = "binding_idle";
    static final List<String> NAMES = List.of(BINDINGS, IDLE);

    static BindingSettings of(Binding binding, ParsedStatement.Query parsed, boolean hasFor) {
        int most = Correlation.MOST;
        long idleNs = 0;
        for (ParsedStatement.Setting setting : parsed.settings()) {
            String name = setting.name().getSimple();
            if (name.equals(BINDINGS)) {
                String hint = "a whole number from 1 to " + Correlation.LIMIT;
                long value = value(binding, setting, Kind.BIGINT, hint);
                if (value > Correlation.LIMIT) {
                    throw invalid(binding, setting, hint);
                }
                most = (int) value;
            } else if (name.equals(IDLE)) {
                if (hasFor) {
                    throw invalid(binding, setting, "FOR ends each binding already");
                }
                idleNs = value(binding, setting, Kind.INTERVAL, "write INTERVAL '5' MINUTE");
            }
        }
        return new BindingSettings(most, idleNs);
    }

    private static long value(
            Binding binding, ParsedStatement.Setting setting, Kind kind, String hint) {
        Expr expr =
                new ExpressionBinder(binding, new ConstantScope(binding, "WITH"))
                        .bind(setting.value());
        if (expr instanceof Expr.Literal literal
                && literal.type().kind() == kind
                && literal.value() instanceof Long value
                && value > 0) {
            return value;
        }
        throw invalid(binding, setting, hint);
    }

    /** Refuses these settings for a query that has no bindings. */
    static void check(Binding binding, ParsedStatement.Query parsed, Query query) {
        Optional<Correlation> used = query.when().flatMap(When::correlation);
        for (ParsedStatement.Setting setting : parsed.settings()) {
            if (used.isEmpty() && NAMES.contains(setting.name().getSimple())) {
                throw binding.error(
                        ErrorCode.INVALID_OPTION,
                        setting.name(),
                        setting.name().getSimple() + " belongs to a WHEN with values",
                        "WHERE equates a column with one of the query that WHEN names");
            }
        }
    }

    private static WeirException invalid(
            Binding binding, ParsedStatement.Setting setting, String hint) {
        return binding.error(
                ErrorCode.INVALID_OPTION,
                setting.value(),
                setting.name().getSimple()
                        + " cannot be "
                        + binding.source().quote(setting.value()),
                hint);
    }
}
