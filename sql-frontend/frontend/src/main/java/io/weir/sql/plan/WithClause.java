package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Query;
import io.weir.sql.validate.Binding;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/**
 * WITH name AS (SELECT …), … before a SELECT.
 *
 * @param body the query after the clause
 * @param named the sub-queries that it can name, with those of the statements around it
 */
record WithClause(SqlNode body, Map<String, Query> named) {
    WithClause {
        named = Map.copyOf(named);
    }

    /**
     * @param outer the names that the statements around it have given
     * @param planner plans a sub-query, which can use these names
     */
    static WithClause of(
            Binding binding,
            SqlNode query,
            Map<String, Query> outer,
            BiFunction<SqlNode, Map<String, Query>, Query> planner) {
        if (query instanceof SqlOrderBy ordered && ordered.query instanceof SqlWith with) {
            SqlNode body =
                    new SqlOrderBy(
                            ordered.getParserPosition(),
                            with.body,
                            ordered.orderList,
                            ordered.offset,
                            ordered.fetch);
            return new WithClause(body, named(binding, with, outer, planner));
        } else if (query instanceof SqlWith with) {
            return new WithClause(with.body, named(binding, with, outer, planner));
        }
        return new WithClause(query, outer);
    }

    private static Map<String, Query> named(
            Binding binding,
            SqlWith with,
            Map<String, Query> outer,
            BiFunction<SqlNode, Map<String, Query>, Query> planner) {
        Map<String, Query> named = new HashMap<>(outer);
        Set<String> own = new HashSet<>();
        for (SqlNode node : with.withList) {
            SqlWithItem item = (SqlWithItem) node;
            String name = item.name.getSimple();
            check(binding, item, own.add(name));
            named.put(name, planner.apply(item.query, Map.copyOf(named)));
        }
        return named;
    }

    private static void check(Binding binding, SqlWithItem item, boolean isNew) {
        if (item.recursive.booleanValue()) {
            throw binding.notSupported(item, "WITH RECURSIVE", "leave RECURSIVE out");
        } else if (item.columnList != null) {
            throw binding.notSupported(
                    item.columnList, "WITH name (columns)", "rename columns in its SELECT");
        } else if (!isNew) {
            throw binding.error(
                    ErrorCode.DUPLICATE_QUERY,
                    item.name,
                    "WITH has two queries " + item.name.getSimple(),
                    "rename one");
        }
    }
}
