package io.weir.sql.plan;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Looks for a kind of node in trees, subqueries left alone; without recursion, trees can be deep. */
final class Contains {
    private Contains() {}

    static boolean any(Collection<SqlNode> roots, Predicate<SqlNode> wanted) {
        Deque<SqlNode> open = new ArrayDeque<>();
        roots.stream().filter(n -> n != null).forEach(open::add);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (wanted.test(node)) {
                return true;
            } else if (node instanceof SqlNodeList list) {
                list.forEach(item -> push(open, item));
            } else if (node instanceof SqlCall call && !node.isA(SqlKind.QUERY)) {
                call.getOperandList().forEach(operand -> push(open, operand));
            }
        }
        return false;
    }

    private static void push(Deque<SqlNode> open, SqlNode node) {
        if (node != null) {
            open.push(node);
        }
    }
}
