package io.weir.sql.grammar;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Operators that Calcite's grammar lacks. */
public final class WeirOperators {
    /** {@code >>}, as strong as Calcite's {@code <<}. */
    public static final SqlBinaryOperator RIGHT_SHIFT =
            new SqlBinaryOperator(
                    ">>",
                    SqlKind.OTHER,
                    SqlStdOperatorTable.BIT_LEFT_SHIFT.getLeftPrec(),
                    true,
                    null,
                    null,
                    null);

    private WeirOperators() {}
}
