package io.weir.operators.graph;

import java.util.List;
import java.util.Objects;

/**
 * The one expression language: filters, keys, projections, HAVING, WHEN, and the updates, merges
 * and results of folds.
 */
public sealed interface Expr {
    Type type();

    /** {@code value}: null, Boolean, Long, Double, Inet or String, as the kind says. */
    record Literal(Object value, Type type) implements Expr {
        public static Literal of(long value) {
            return new Literal(value, Type.BIGINT);
        }

        public static Literal of(double value) {
            return new Literal(value, Type.DOUBLE);
        }

        public static Literal of(boolean value) {
            return new Literal(value, Type.BOOLEAN);
        }

        public static Literal nullOf(Kind kind) {
            return new Literal(null, new Type(kind, true));
        }
    }

    /** The source of a variable's value. */
    enum Scope {
        /** A column of the operator's input. */
        COLUMN,
        /** An argument of the fold. */
        ARGUMENT,
        /** The fold's own state. */
        STATE,
        /** In a merge: the state that is merged into ours. */
        OTHER
    }

    record Variable(Scope scope, String name, Type type) implements Expr {
        public Variable {
            Objects.requireNonNull(name);
        }

        public static Variable column(String name, Type type) {
            return new Variable(Scope.COLUMN, name, type);
        }
    }

    record Call(Function function, List<Expr> arguments, Type type) implements Expr {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }
}
