package io.weir.operators.interpret;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Operator;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One fold of one group: the fold language, read literally. */
final class FoldState {
    private final Operator.FoldCall call;
    private final Map<String, Object> state = new HashMap<>();
    private final Set<List<Object>> seen = new HashSet<>();

    /** The exact value of a SUM that may leave 64 bits; null if nothing was summed. */
    private BigInteger exact;

    private boolean wrapped;

    FoldState(Operator.FoldCall call) {
        this.call = call;
        call.fold().state().forEach(word -> state.put(word.name(), word.initial().value()));
    }

    void update(Evaluator.Values row) {
        if (call.filter().isPresent() && !Evaluator.isTrue(call.filter().get(), row)) {
            return;
        }
        List<Object> arguments = new ArrayList<>();
        for (Expr argument : call.arguments()) {
            Object value = Evaluator.evaluate(argument, row);
            if (value == null) {
                return;
            }
            arguments.add(call.distinct() ? Interpreter.asKey(value) : value);
        }
        if (!call.distinct() || seen.add(arguments)) {
            step(arguments);
        }
    }

    private void step(List<Object> arguments) {
        if (Folds.isSumOfWide(call.fold())) {
            BigInteger value = BigInteger.valueOf((Long) arguments.get(0));
            exact = exact == null ? value : exact.add(value);
            wrapped |= arguments.size() > 1 && (Long) arguments.get(1) == 1;
            return;
        }
        Map<String, Object> next = new HashMap<>(state);
        for (Fold.Assignment assignment : call.fold().update()) {
            next.put(
                    assignment.state(),
                    Evaluator.evaluate(assignment.value(), v -> value(v, arguments)));
        }
        state.putAll(next);
    }

    private Object value(Expr.Variable variable, List<Object> arguments) {
        if (variable.scope() == Expr.Scope.STATE) {
            return state.get(variable.name());
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (call.fold().arguments().get(i).name().equals(variable.name())) {
                return arguments.get(i);
            }
        }
        throw new IllegalArgumentException("no argument " + variable.name());
    }

    Object result() {
        if (Folds.isSumOfWide(call.fold())) {
            return exact == null || wrapped || exact.bitLength() >= Long.SIZE
                    ? null
                    : exact.longValue();
        }
        return Evaluator.evaluate(call.fold().result(), v -> state.get(v.name()));
    }
}
