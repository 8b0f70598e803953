package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.OverFunction;
import java.util.List;

/** Turns a call into a part of a query's graph. Its arguments have the kinds of its parameters. */
public sealed interface Meaning {
    /** A value of one row. */
    interface OfRow {
        Expr make(List<Expr> arguments);
    }

    /** A value of a group of rows. */
    interface OfGroup {
        Folding make(List<Expr> arguments, Facts facts);
    }

    /** A value of one row that is made of SQL's operators. */
    interface OfTerms {
        Expr make(Terms terms);
    }

    /** A window of time. */
    interface OfLengths {
        io.weir.operators.graph.Window make(List<Long> lengthsNs);
    }

    /** A fold with its arguments from each row. */
    record Folding(Fold fold, List<Expr> arguments) {
        public Folding {
            arguments = List.copyOf(arguments);
        }
    }

    record Row(OfRow maker) implements Meaning {}

    record Group(OfGroup maker) implements Meaning {}

    record Form(OfTerms maker) implements Meaning {}

    record Window(OfLengths maker) implements Meaning {}

    /**
     * A bound of the window that GROUP BY has.
     *
     * @param window the function that makes it
     * @param start whether it is the start; otherwise the end
     */
    record Bound(String window, boolean start) implements Meaning {}

    /** A function of several rows, which stands before OVER. */
    record Over(OverFunction function) implements Meaning {}

    /** A call whose arguments are no values, as the type in CAST. The front end has its code. */
    record Syntax() implements Meaning {}
}
