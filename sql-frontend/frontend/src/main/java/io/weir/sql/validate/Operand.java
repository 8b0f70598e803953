package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** A bound expression and the text that it came from, which errors point at. */
public record Operand(Expr expr, SqlNode node) {
    public Kind kind() {
        return expr.type().kind();
    }

    /** Returns whether it is a NULL of any kind; not one that CAST has given a kind. */
    boolean isNull() {
        return expr instanceof Expr.Literal literal
                && literal.value() == null
                && node.getKind() != SqlKind.CAST;
    }

    boolean isString() {
        return expr instanceof Expr.Literal literal && literal.value() instanceof String;
    }

    String kindName() {
        return isNull() ? "NULL" : kind().name();
    }
}
