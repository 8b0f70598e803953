package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;

/** The bits that a key needs. Layouts know the columns, kinds know the rest. */
final class Widths {
    private static final int SYMBOL_BITS = 32;

    private Widths() {}

    /**
     * Returns the bits of a value that is not an INET. All layouts have the same, so that groups
     * can meet.
     */
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
