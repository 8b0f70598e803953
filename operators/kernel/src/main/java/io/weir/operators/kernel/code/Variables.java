package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;

/** The code of an expression's variables. */
interface Variables {
    Value value(Expr.Variable variable);

    /** Returns whether the variable changes from packet to packet within a GPV. */
    boolean isPerPacket(Expr.Variable variable);
}
