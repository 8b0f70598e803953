package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.sql.validate.Binding;
import java.math.BigDecimal;
import org.apache.calcite.sql.SqlNumericLiteral;

/** Resolves GROUP BY 1, ORDER BY 2: items of SELECT by their position. */
final class Positions {
    private Positions() {}

    /** Returns a position from 1 to {@code count}; throws otherwise. */
    static int of(Binding binding, SqlNumericLiteral literal, int count, String clause) {
        BigDecimal value = literal.bigDecimalValue();
        boolean whole = value.scale() <= 0 && value.compareTo(BigDecimal.valueOf(count)) <= 0;
        int position = whole ? value.intValue() : 0;
        if (position < 1 || position > count) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    literal,
                    "SELECT has " + count + " columns; there is none at this position",
                    clause + " takes positions from 1 to " + count);
        }
        return position;
    }
}
