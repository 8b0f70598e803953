package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import java.util.List;

/** Turns a call into a part of a query's graph. Its arguments have the kinds of its parameters. */
public sealed interface Meaning {
    /** A value of one row. */
    interface OfRow {
        Expr make(List<Expr> arguments);
    }

    /** A value of a group of rows. */
    interface OfGroup {
        /**
         * @param some whether each group has a row in which all arguments have a value
         */
        Folding make(List<Expr> arguments, boolean some);
    }

    /** A fold with its arguments from each row. */
    record Folding(Fold fold, List<Expr> arguments) {
        public Folding {
            arguments = List.copyOf(arguments);
        }
    }

    record Row(OfRow maker) implements Meaning {}

    record Group(OfGroup maker) implements Meaning {}

    /** A form of the language, which the front end knows: CAST, COALESCE, TUMBLE. */
    record Syntax() implements Meaning {}
}
