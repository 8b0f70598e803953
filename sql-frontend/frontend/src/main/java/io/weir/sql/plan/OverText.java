package io.weir.sql.plan;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.OverFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Prints the columns of OVER for plans. */
final class OverText {
    private OverText() {}

    static String of(Operator.Over over) {
        return over.calls().stream().map(OverText::of).collect(Collectors.joining("; "));
    }

    private static String bound(long rows, String all) {
        boolean none = rows == OverFrame.FIRST || rows == OverFrame.LAST;
        return none ? all : Long.toString(rows);
    }

    private static String of(OverCall call) {
        String arguments =
                call.arguments().isEmpty() && !call.function().isRank()
                        ? "*"
                        : call.arguments().stream()
                                .map(ExprText::of)
                                .collect(Collectors.joining(", "));
        List<String> parts = new ArrayList<>();
        parts.add(call.history() ? "over windows" : "in each window");
        if (!call.partition().isEmpty()) {
            parts.add("by " + String.join(", ", call.partition()));
        }
        if (!call.orders().isEmpty()) {
            String orders =
                    call.orders().stream().map(ExprText::order).collect(Collectors.joining(", "));
            parts.add("order " + orders);
        }
        boolean framed = !call.frame().equals(OverFrame.WHOLE) && !call.frame().peers();
        if (framed) {
            parts.add(
                    "rows "
                            + bound(call.frame().fromRows(), "first")
                            + " to "
                            + bound(call.frame().toRows(), "last"));
        }
        String before = call.name() + " = " + call.function() + "(" + arguments + ") ";
        return before + String.join(" ", parts);
    }
}
