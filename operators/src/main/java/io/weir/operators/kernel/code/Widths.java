package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;

/** How many bits a key needs: what layouts say of columns, and what kinds say of the rest. */
final class Widths {
    private static final int SYMBOL_BITS = 32;

    private Widths() {}

    /** Bits of a value that is not an INET. The same in all layouts, so that groups can meet. */
    static int bits(Expr expr, boolean ofRows) {
        Kind kind = expr.type().kind();
        if (kind == Kind.BOOLEAN) {
            return 1;
        } else if (kind == Kind.VARCHAR) {
            return SYMBOL_BITS;
        }
        return expr instanceof Expr.Variable variable && !ofRows ? bits(variable) : Long.SIZE;
    }

    private static int bits(Expr.Variable variable) {
        return GpvLayout.all().stream()
                .flatMap(layout -> layout.field(variable.name()).stream())
                .mapToInt(field -> field.bits())
                .max()
                .orElse(Long.SIZE);
    }
}
