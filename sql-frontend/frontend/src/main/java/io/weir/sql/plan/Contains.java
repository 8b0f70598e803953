package io.weir.sql.plan;

import io.weir.sql.validate.AggregateFunctions;
import io.weir.sql.validate.OverWords;
import io.weir.sql.validate.WindowBounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Searches trees for a kind of node, without subqueries. It uses no recursion, because trees can be
 * deep.
 */
final class Contains {
    private Contains() {}

    static boolean any(Collection<SqlNode> roots, Predicate<SqlNode> wanted) {
        return first(roots, wanted).isPresent();
    }

    /** Returns the first call with OVER, or of a function that goes by windows without it. */
    static Optional<SqlNode> over(Collection<SqlNode> roots) {
        return first(roots, node -> node.getKind() == SqlKind.OVER || OverWords.isAlone(node));
    }

    static Optional<SqlNode> first(Collection<SqlNode> roots, Predicate<SqlNode> wanted) {
        Deque<SqlNode> open = new ArrayDeque<>();
        roots.stream().filter(n -> n != null).forEach(open::add);
        while (!open.isEmpty()) {
            SqlNode node = open.pop();
            if (wanted.test(node)) {
                return Optional.of(node);
            } else if (node.getKind() == SqlKind.OVER) {
                // The function before OVER is no aggregate of groups. Its arguments can be some.
                push(open, List.of(((SqlCall) node).operand(1)));
                push(open, inside(((SqlCall) node).operand(0)));
            } else if (node instanceof SqlNodeList list) {
                push(open, list);
            } else if (node instanceof SqlCall call && !node.isA(SqlKind.QUERY)) {
                push(open, call.getOperandList());
            }
        }
        return Optional.empty();
    }

    /** Returns whether any is, or contains, an aggregate or a bound of a window. */
    static boolean aggregate(Collection<SqlNode> roots) {
        return any(
                roots,
                node ->
                        node instanceof SqlCall call
                                && (AggregateFunctions.isOne(call) || WindowBounds.isOne(call)));
    }

    private static List<SqlNode> inside(SqlNode before) {
        if (before.getKind() == SqlKind.FILTER) {
            List<SqlNode> all = new ArrayList<>(inside(((SqlCall) before).operand(0)));
            all.add(((SqlCall) before).operand(1));
            return all;
        }
        return before instanceof SqlCall call ? call.getOperandList() : List.of(before);
    }

    /** The order is kept: the first comes out first. */
    private static void push(Deque<SqlNode> open, List<SqlNode> nodes) {
        for (int i = nodes.size() - 1; i >= 0; i--) {
            if (nodes.get(i) != null) {
                open.push(nodes.get(i));
            }
        }
    }
}
