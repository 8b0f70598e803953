package io.weir.operators.graph;

import java.util.List;

/**
 * The one fold language: state, initial value, update, merge, result. Built-in aggregates are folds
 * ({@link Folds}), and user-defined ones will be.
 *
 * <p>An update is skipped when an argument is NULL, as SQL requires of aggregates. All assignments
 * of an update (or merge) read the state as it was before it: they happen at once.
 *
 * @param arguments variables of scope ARGUMENT
 * @param state one 64-bit word each: BOOLEAN, BIGINT, DOUBLE, TIMESTAMP, INTERVAL or MACADDR
 * @param update over ARGUMENT and STATE
 * @param merge over STATE and OTHER; empty when states cannot be merged
 * @param result over STATE
 * @param ordered whether the result depends on the order of packets: then the 5-tuple must be in
 *     the key, since order is kept within a flow only
 */
public record Fold(
        String name,
        List<Expr.Variable> arguments,
        List<StateWord> state,
        List<Assignment> update,
        List<Assignment> merge,
        Expr result,
        boolean ordered) {

    public Fold {
        arguments = List.copyOf(arguments);
        state = List.copyOf(state);
        update = List.copyOf(update);
        merge = List.copyOf(merge);
    }

    /** One word of state. {@code initial} is a literal and not NULL. */
    public record StateWord(String name, Kind kind, Expr.Literal initial) {
        public Expr.Variable mine() {
            return new Expr.Variable(Expr.Scope.STATE, name, new Type(kind, false));
        }

        public Expr.Variable other() {
            return new Expr.Variable(Expr.Scope.OTHER, name, new Type(kind, false));
        }
    }

    /** state word ← value. */
    public record Assignment(String state, Expr value) {}
}
