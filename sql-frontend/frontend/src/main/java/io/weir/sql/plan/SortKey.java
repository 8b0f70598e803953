package io.weir.sql.plan;

import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/**
 * An item of ORDER BY without its DESC and NULLS FIRST. NULL counts as larger than any value,
 * unless NULLS FIRST or LAST says otherwise.
 */
record SortKey(SqlNode node, boolean descending, boolean nullsFirst) {
    static SortKey of(SqlNode item) {
        SqlNode node = item;
        Optional<Boolean> nullsFirst = Optional.empty();
        boolean descending = false;
        while (true) {
            if (node.getKind() == SqlKind.NULLS_FIRST || node.getKind() == SqlKind.NULLS_LAST) {
                nullsFirst = Optional.of(node.getKind() == SqlKind.NULLS_FIRST);
            } else if (node.getKind() == SqlKind.DESCENDING) {
                descending = true;
            } else {
                return new SortKey(node, descending, nullsFirst.orElse(descending));
            }
            node = ((SqlCall) node).operand(0);
        }
    }
}
