package io.weir.sql.plan;

import io.weir.sql.catalog.Streams;
import io.weir.sql.grammar.ParsedStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;

/** Finds the names of other queries that a query uses, before any is looked up. */
public final class References {
    private References() {}

    /** Returns the name in FROM, and the qualifiers in WHEN and UNTIL, with their first places. */
    public static Map<String, SqlIdentifier> of(ParsedStatement.Query query) {
        Map<String, SqlIdentifier> names = new LinkedHashMap<>();
        addFrom(query.query(), names);
        addQualifiers(query.when(), names);
        addQualifiers(query.until(), names);
        return names;
    }

    private static void addFrom(SqlNode node, Map<String, SqlIdentifier> names) {
        SqlNode at = node;
        while (at != null) {
            if (at instanceof SqlIdentifier name) {
                Streams.named(name.names).ifPresent(used -> names.putIfAbsent(used, name));
                return;
            }
            at = inside(at);
        }
    }

    /** Takes one step towards the name in FROM; null if there is none. */
    private static SqlNode inside(SqlNode node) {
        if (node instanceof SqlOrderBy ordered) {
            return ordered.query;
        } else if (node instanceof SqlSelect select) {
            return select.getFrom();
        }
        boolean wraps =
                node.getKind() == SqlKind.AS
                        || node.getKind() == SqlKind.COLLECTION_TABLE
                        || node.getKind() == SqlKind.EXPLICIT_TABLE
                        || Windows.isOne(node);
        return wraps && ((SqlCall) node).operandCount() > 0 ? ((SqlCall) node).operand(0) : null;
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
