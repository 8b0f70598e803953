package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.Window;
import org.apache.calcite.sql.SqlNode;

/** Computes the window of a time without an aggregate. */
public final class TumblingTime {
    private TumblingTime() {}

    /** Returns the start or end of the tumbling window of {@code time}. */
    public static Expr bound(Binding binding, SqlNode at, Expr time, Window of, boolean start) {
        long sizeNs = of.sizeNs();
        Expr sinceEpoch = binding.call(at, "nanoseconds", time);
        Expr ns =
                of.offsetNs() == 0
                        ? sinceEpoch
                        : binding.call(at, "-", sinceEpoch, Literal.of(of.offsetNs()));
        Expr size = Literal.of(sizeNs);
        Expr remainder = binding.call(at, "%", ns, size); // below 0 before 1970
        Expr past = binding.call(at, "%", binding.call(at, "+", remainder, size), size);
        Expr pastNs = binding.call(at, "*", new Literal(1L, Type.INTERVAL), past);
        Expr opened = binding.call(at, "-", time, pastNs);
        return start ? opened : binding.call(at, "+", opened, new Literal(sizeNs, Type.INTERVAL));
    }
}
