package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.validate.Environment;
import org.apache.calcite.sql.SqlNode;

/** The rows that OVER works on: groups of a query, or the rows of another one. */
interface OverInput {
    /** Returns the meaning of names in single rows. */
    Environment scope();

    /** Returns whether a name means one of their columns before it means an alias of SELECT. */
    boolean hasColumn(String name);

    /** Returns the expression over their columns. */
    Expr lowered(Expr bound, SqlNode at);

    /** Returns whether the column tells the window of a row. */
    boolean isTime(Expr lowered);

    /** Returns the column that tells the window; empty if rows of several windows never meet. */
    String time();

    /** Throws if they have no earlier windows, or if those cannot be kept. */
    void checkHistory(SqlNode at);

    /** Returns a name that none of their columns has. */
    String unique(String name);

    /** Makes a column of OVER known to them. */
    Variable added(Variable column);
}
