package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.sql.validate.AggregateFunctions;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Environment;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.OverWords;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** An environment in which only constants may stand. Other environments inherit its refusals. */
class ConstantScope implements Environment {
    final Binding binding;

    /** The clause of the expression, for errors: WHERE, a window's size. */
    final String clause;

    ConstantScope(Binding binding, String clause) {
        this.binding = binding;
        this.clause = clause;
    }

    @Override
    public Expr column(SqlIdentifier name) {
        throw invalid(name, clause + " is a constant", "a parameter can stand there: :name");
    }

    @Override
    public Expr aggregate(SqlCall call, SqlNode filter, ExpressionBinder binder) {
        String name = AggregateFunctions.name(call);
        String hint = clause.equals("WHERE") ? "groups are filtered by HAVING" : null;
        throw invalid(call, name + " cannot stand in " + clause, hint);
    }

    @Override
    public Expr over(SqlCall call, ExpressionBinder binder) {
        boolean filters = clause.equals("WHERE") || clause.equals("HAVING");
        throw invalid(
                call,
                OverWords.word(call) + " cannot stand in " + clause,
                filters ? "QUALIFY filters rows by it" : null);
    }

    @Override
    public Expr windowBound(SqlCall call, ExpressionBinder binder) {
        throw invalid(
                call,
                call.getOperator().getName().toUpperCase() + " cannot stand in " + clause,
                null);
    }

    final WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
