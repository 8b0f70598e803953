package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A fold in a kernel: its arguments as code, and when it is updated. */
final class FoldUse {
    private final int index;
    private final FoldCall call;
    private final List<Value> arguments = new ArrayList<>();
    private final List<Boolean> perPacket = new ArrayList<>();
    private final String condition;
    private final boolean conditionPerPacket;
    private final boolean filteredOnly;

    FoldUse(int index, FoldCall call, Expressions expressions) {
        this.index = index;
        this.call = call;
        List<String> conditions = new ArrayList<>();
        boolean changes = false;
        if (call.filter().isPresent()) {
            conditions.add(expressions.truth(call.filter().get()));
            changes = expressions.isPerPacket(call.filter().get());
        }
        for (Expr expr : call.arguments()) {
            Value argument = expressions.simple(expr, "argument");
            boolean argumentChanges = expressions.isPerPacket(expr);
            if (argument.nul() != null) {
                conditions.add(Text.not(argument.nul()));
                changes |= argumentChanges;
            }
            arguments.add(argument.withNull(null));
            perPacket.add(argumentChanges);
        }
        condition = Text.all(conditions);
        filteredOnly = call.filter().isPresent() && conditions.size() == 1;
        conditionPerPacket = changes;
    }

    int index() {
        return index;
    }

    FoldCall call() {
        return call;
    }

    Fold fold() {
        return call.fold();
    }

    List<Value> arguments() {
        return arguments;
    }

    /** The condition of the update; "true" means always. */
    String condition() {
        return condition;
    }

    boolean isConditionPerPacket() {
        return conditionPerPacket;
    }

    /** Returns the FILTER if it is the whole condition and the GPV's header decides it. */
    Optional<Expr> headerFilter() {
        boolean decides = filteredOnly && !conditionPerPacket && !condition.equals("true");
        return decides ? call.filter() : Optional.empty();
    }

    /** Returns the FILTER if it is the whole condition and packets decide it. */
    Optional<Expr> packetFilter() {
        return filteredOnly && conditionPerPacket ? call.filter() : Optional.empty();
    }

    boolean hasPacketArguments() {
        return perPacket.contains(true);
    }

    boolean isPerPacket() {
        return conditionPerPacket || hasPacketArguments();
    }

    /** Returns the value of the argument for an update. */
    Value argument(Expr.Variable variable) {
        for (int i = 0; i < arguments.size(); i++) {
            if (fold().arguments().get(i).name().equals(variable.name())) {
                return arguments.get(i);
            }
        }
        throw new IllegalArgumentException(fold().name() + " has no argument " + variable.name());
    }

    /**
     * Returns the value that one update adds to a word. It is present only if it is the same each
     * time and nothing else reads the word. Then n updates add n times that value without a loop.
     */
    Optional<Expr> step(int word) {
        String name = fold().state().get(word).name();
        Optional<Assignment> assignment =
                fold().update().stream().filter(a -> a.state().equals(name)).findFirst();
        boolean whole = fold().state().get(word).kind() == Kind.BIGINT;
        int reads = FoldCode.reads(fold().update()).getOrDefault(name, 0);
        if (!whole || assignment.isEmpty() || reads != 1) {
            return Optional.empty();
        }
        if (assignment.get().value() instanceof Expr.Call sum
                && sum.function().name().equals("+")
                && sum.arguments().get(0).equals(fold().state().get(word).mine())
                && isConstant(sum.arguments().get(1))) {
            return Optional.of(sum.arguments().get(1));
        }
        return Optional.empty();
    }

    /** Returns whether an update only adds one to a word. */
    boolean isCount() {
        return isCount(fold());
    }

    static boolean isCount(Fold fold) {
        StateWord first = fold.state().get(0);
        return fold.state().size() == 1
                && first.kind() == Kind.BIGINT
                && fold.update().equals(List.of(new Assignment(first.name(), oneMore(first))));
    }

    private static Expr oneMore(StateWord word) {
        return Functions.call("+", word.mine(), Literal.of(1L));
    }

    /** Returns whether a word adds up the argument, and nothing else reads it. */
    boolean isSum(int word) {
        StateWord state = fold().state().get(word);
        boolean whole =
                state.kind() == Kind.BIGINT
                        && fold().arguments().size() == 1
                        && fold().arguments().get(0).type().kind() == Kind.BIGINT;
        if (!whole) {
            return false;
        }
        Expr sum = Functions.call("+", state.mine(), fold().arguments().get(0));
        return Literal.of(0L).equals(state.initial())
                && fold().update().contains(new Assignment(state.name(), sum))
                && FoldCode.reads(fold().update()).get(state.name()) == 1;
    }

    /** Returns whether the value is the same for all packets of a GPV. */
    private boolean isConstant(Expr expr) {
        if (expr instanceof Expr.Variable variable) {
            return variable.scope() == Scope.ARGUMENT && !perPacket.get(indexOf(variable));
        }
        return !(expr instanceof Expr.Call call)
                || call.arguments().stream().allMatch(this::isConstant);
    }

    private int indexOf(Expr.Variable argument) {
        return fold().arguments().stream()
                .map(Expr.Variable::name)
                .toList()
                .indexOf(argument.name());
    }
}
