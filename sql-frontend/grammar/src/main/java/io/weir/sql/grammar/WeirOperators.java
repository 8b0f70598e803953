package io.weir.sql.grammar;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

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

    /** {@code AT TIME ZONE}, stronger than all arithmetic. */
    public static final SqlBinaryOperator AT_TIME_ZONE =
            new SqlBinaryOperator("AT TIME ZONE", SqlKind.OTHER, 94, true, null, null, null);

    /** {@code NEW(…)}, whose name is reserved. */
    public static final SqlFunction NEW =
            new SqlUnresolvedFunction(
                    new SqlIdentifier("NEW", SqlParserPos.ZERO),
                    null,
                    null,
                    null,
                    null,
                    SqlFunctionCategory.USER_DEFINED_FUNCTION);

    private WeirOperators() {}
}
