package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;

/** What the variables of an expression are in generated code. */
interface Variables {
    Value value(Expr.Variable variable);

    /** Whether it changes from packet to packet within a GPV. */
    boolean isPerPacket(Expr.Variable variable);
}
