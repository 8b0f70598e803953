package io.weir.operators.graph;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.List;
import java.util.Optional;

/**
 * The folds of a group of a session: its first and last time, and whether a part of it was not
 * seen. The code that joins parts of a session reads them.
 */
public final class SessionFolds {
    /** The names of the folds. */
    public static final String FIRST = "SESSION_FIRST";

    public static final String LAST = "SESSION_LAST";

    private static final StateWord MARKS =
            new StateWord("marks", Kind.BIGINT, new Literal(0L, Type.BIGINT));

    /** Counts the windows that were seen in part. Code adds to it, and no packet does. */
    public static final FoldCall PARTS =
            new FoldCall(
                    "",
                    new Fold(
                            "SESSION_PARTS",
                            List.of(),
                            List.of(MARKS),
                            List.of(),
                            List.of(sum(MARKS)),
                            MARKS.mine(),
                            false),
                    List.of(),
                    false,
                    Optional.empty());

    private SessionFolds() {}

    /** Returns the fold for the time of the first row of a group. */
    public static FoldCall first(Expr time) {
        return extreme(FIRST, "<", Long.MAX_VALUE, time);
    }

    /** Returns the fold for the time of the last row of a group. */
    public static FoldCall last(Expr time) {
        return extreme(LAST, ">", Long.MIN_VALUE, time);
    }

    private static FoldCall extreme(String name, String better, long from, Expr time) {
        StateWord best = new StateWord("best", Kind.TIMESTAMP, new Literal(from, Type.TIMESTAMP));
        Variable given = new Variable(Expr.Scope.ARGUMENT, "a0", Type.TIMESTAMP);
        Fold fold =
                new Fold(
                        name,
                        List.of(given),
                        List.of(best),
                        List.of(new Assignment("best", chosen(better, given, best.mine()))),
                        List.of(new Assignment("best", chosen(better, best.other(), best.mine()))),
                        best.mine(),
                        false);
        return new FoldCall("", fold, List.of(time), false, Optional.empty());
    }

    private static Expr chosen(String better, Expr candidate, Expr present) {
        Expr take = Functions.call(better, candidate, present);
        return Functions.call("CASE", take, candidate, present);
    }

    private static Assignment sum(StateWord word) {
        return new Assignment(word.name(), Functions.call("+", word.mine(), word.other()));
    }

    /** Returns the end of a session: its last time and the pause. */
    public static Expr end(Expr last, long gapNs) {
        return Functions.call("+", last, new Literal(gapNs, Type.INTERVAL));
    }

    /** Returns whether an expression over an aggregate's columns is the end of its sessions. */
    public static boolean isEnd(Operator.Aggregate aggregate, Expr expr) {
        return expr instanceof Expr.Call call
                && aggregate.window().filter(Window::isOfSessions).isPresent()
                && aggregate.folds().stream()
                        .filter(fold -> fold.fold().name().equals(LAST))
                        .anyMatch(fold -> call.equals(end(fold.column(), gapNs(aggregate))));
    }

    private static long gapNs(Operator.Aggregate aggregate) {
        return aggregate.window().orElseThrow().sizeNs();
    }
}
