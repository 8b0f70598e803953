package io.weir.sql.validate;

import io.weir.operators.graph.Expr;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** What names and aggregates mean where an expression stands: in WHERE, in SELECT, in WHEN. */
public interface Environment {
    /** The value of a column. Throws UNKNOWN_COLUMN and the like. */
    Expr column(SqlIdentifier name);

    /**
     * The value of an aggregate. Throws where there are none.
     *
     * @param filter the condition of FILTER (WHERE …), or null
     */
    Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder);

    /** TUMBLE_START, HOP_END and their like. Throws where there is no window. */
    Expr windowBound(SqlCall call, ExpressionBinder binder);
}
