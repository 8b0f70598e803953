package io.weir.sql.plan;

import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/** Finds the names of other queries that a query uses, before any is looked up. */
public final class References {
    private References() {}

    /** Returns the names in FROM, and the qualifiers in WHEN and UNTIL, with their first places. */
    public static Map<String, SqlIdentifier> of(ParsedStatement.Query query) {
        Map<String, SqlIdentifier> names = new LinkedHashMap<>();
        addFrom(query.query(), names);
        addQualifiers(query.when(), names);
        addQualifiers(query.until(), names);
        return names;
    }

    /**
     * A part of a statement.
     *
     * @param own the names that WITH gives in it
     */
    private record Part(SqlNode node, Set<String> own) {}

    private static void addFrom(SqlNode root, Map<String, SqlIdentifier> names) {
        Deque<Part> open = new ArrayDeque<>();
        open.push(new Part(root, Set.of()));
        while (!open.isEmpty()) {
            Part part = open.pop();
            if (part.node() instanceof SqlIdentifier name) {
                Streams.named(name.names)
                        .filter(used -> !name.isSimple() || !part.own().contains(used))
                        .ifPresent(used -> names.putIfAbsent(used, name));
            } else if (part.node() instanceof SqlWith with) {
                Set<String> own = new HashSet<>(part.own());
                for (SqlNode item : with.withList) {
                    open.push(new Part(((SqlWithItem) item).query, Set.copyOf(own)));
                    own.add(((SqlWithItem) item).name.getSimple());
                }
                open.push(new Part(with.body, own));
            } else {
                inside(part.node()).forEach(node -> open.push(new Part(node, part.own())));
            }
        }
    }

    /** Returns the nodes that lead towards names in FROM. */
    private static List<SqlNode> inside(SqlNode node) {
        if (node instanceof SqlOrderBy ordered) {
            return List.of(ordered.query);
        } else if (node instanceof SqlSelect select) {
            return select.getFrom() == null ? List.of() : List.of(select.getFrom());
        } else if (node instanceof SqlJoin join) {
            return List.of(join.getLeft(), join.getRight());
        } else if (node.getKind() == SqlKind.UNION) {
            return ((SqlCall) node).getOperandList();
        }
        boolean wraps =
                node.getKind() == SqlKind.AS
                        || node.getKind() == SqlKind.JOIN
                        || node.getKind() == SqlKind.COLLECTION_TABLE
                        || node.getKind() == SqlKind.EXPLICIT_TABLE
                        || Windows.isOne(node);
        return wraps && ((SqlCall) node).operandCount() > 0
                ? List.of(((SqlCall) node).operand(0))
                : List.of();
    }

    private static void addQualifiers(SqlNode condition, Map<String, SqlIdentifier> names) {
        if (condition == null) {
            return;
        }
        Contains.any(
                List.of(condition),
                node -> {
                    if (node instanceof SqlIdentifier id && id.names.size() > 1) {
                        names.putIfAbsent(id.names.get(0), id);
                    }
                    return false;
                });
    }
}
