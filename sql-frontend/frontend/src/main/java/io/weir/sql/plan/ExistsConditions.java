package io.weir.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The EXISTS and NOT EXISTS that AND joins in a WHERE.
 *
 * @param rest the other conditions; null if there are none
 */
record ExistsConditions(List<One> all, SqlNode rest) {
    /** One EXISTS (query). */
    record One(SqlCall call, boolean negated) {}

    ExistsConditions {
        all = List.copyOf(all);
    }

    static ExistsConditions of(SqlNode where) {
        List<One> all = new ArrayList<>();
        return new ExistsConditions(all, rest(where, all));
    }

    private static SqlNode rest(SqlNode node, List<One> all) {
        if (node == null) {
            return null;
        } else if (node.getKind() == SqlKind.EXISTS) {
            all.add(new One((SqlCall) node, false));
            return null;
        } else if (node.getKind() == SqlKind.NOT
                && ((SqlCall) node).operand(0).getKind() == SqlKind.EXISTS) {
            all.add(new One(((SqlCall) node).operand(0), true));
            return null;
        } else if (node.getKind() != SqlKind.AND) {
            return node;
        }
        SqlCall and = (SqlCall) node;
        SqlNode first = rest(and.operand(0), all);
        SqlNode second = rest(and.operand(1), all);
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return SqlStdOperatorTable.AND.createCall(and.getParserPosition(), first, second);
    }
}
