package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.LookupTable;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** The meaning of names and aggregates where an expression stands: in WHERE, in SELECT, in WHEN. */
public interface Environment {
    /** Returns the value of a column. Throws UNKNOWN_COLUMN and similar errors. */
    Expr column(SqlIdentifier name);

    /**
     * Returns the value of an aggregate. Throws if there are none.
     *
     * @param filter the condition of FILTER (WHERE …), or null
     */
    Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder);

    /** Returns the value of a function with OVER. Throws if none can stand here. */
    Expr over(SqlCall call, ExpressionBinder binder);

    /** Returns the lookup table of a name, for IN (SELECT …). */
    default Optional<LookupTable> table(SqlIdentifier name) {
        return Optional.empty();
    }

    /**
     * Returns whether a value can be looked up here. Only kernels look up: neither conditions of
     * WHEN nor values of aggregates can.
     */
    default boolean canLookUp(Expr value) {
        return false;
    }

    /** Returns the bits of the largest magnitude that a column of whole numbers can have. */
    default int bits(Expr.Variable column) {
        return Long.SIZE;
    }

    /**
     * Returns the value of TUMBLE_START, HOP_END and similar calls. Throws if there is no window.
     */
    Expr windowBound(SqlCall call, ExpressionBinder binder);
}
