package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.OverWords;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;

/**
 * The clauses of a query, from the grammar's tree. A clause without a place in a plan is refused
 * here, so no clause is ignored.
 *
 * @param group null without GROUP BY
 * @param emit null without EMIT
 * @param from, where, having, qualify, offset, fetch null when absent
 */
record SelectParts(
        SqlNode from,
        SqlNode where,
        List<SqlNode> items,
        boolean distinct,
        List<SqlNode> group,
        SqlNode having,
        SqlNode qualify,
        List<SqlNode> order,
        SqlNode offset,
        SqlNode fetch,
        ParsedStatement.Emit emit,
        SqlSelect select) {

    static SelectParts of(Binding binding, SqlNode query) {
        if (query instanceof SqlOrderBy ordered) {
            return of(
                    binding,
                    select(binding, ordered.query),
                    ordered.orderList,
                    ordered.offset,
                    ordered.fetch);
        }
        SqlSelect select = select(binding, query);
        return of(binding, select, SqlNodeList.EMPTY, null, null);
    }

    private static SelectParts of(
            Binding binding, SqlSelect select, SqlNodeList order, SqlNode offset, SqlNode fetch) {
        SelectParts parts =
                new SelectParts(
                        select.getFrom(),
                        select.getWhere(),
                        select.getSelectList(),
                        select.isDistinct(),
                        select.getGroup() == null ? null : List.copyOf(select.getGroup()),
                        select.getHaving(),
                        select.getQualify(),
                        order,
                        offset,
                        fetch,
                        null,
                        select);
        parts.checkOver(binding);
        return parts;
    }

    /** Returns all expressions, WHERE among them. */
    List<SqlNode> clauses() {
        List<SqlNode> all = new ArrayList<>(clausesOfRows());
        all.add(where);
        return all;
    }

    /** Returns the expressions that make and order rows. */
    List<SqlNode> clausesOfRows() {
        List<SqlNode> all = new ArrayList<>(items);
        all.add(having);
        all.add(qualify);
        all.addAll(order);
        if (group != null) {
            all.addAll(group);
        }
        return all;
    }

    SelectParts withWhere(SqlNode other) {
        return with(other, emit);
    }

    SelectParts emitting(ParsedStatement.Emit clause) {
        return with(where, clause);
    }

    private SelectParts with(SqlNode condition, ParsedStatement.Emit clause) {
        return new SelectParts(
                from, condition, items, distinct, group, having, qualify, order, offset, fetch,
                clause, select);
    }

    private static SqlSelect select(Binding binding, SqlNode query) {
        if (query instanceof SqlSelect select) {
            check(binding, select);
            return select;
        }
        String hint = "create a query for each part, and select from it";
        throw switch (query.getKind()) {
            case WITH -> binding.notSupported(query, "WITH", hint);
            case UNION, INTERSECT, EXCEPT -> binding.notSupported(query, query.getKind().sql, hint);
            case VALUES -> binding.notSupported(query, "VALUES", "select from packets");
            case EXPLICIT_TABLE ->
                    binding.notSupported(
                            ((SqlCall) query).operand(0),
                            "TABLE without SELECT",
                            "write SELECT * FROM …");
            case ORDER_BY -> binding.notSupported(query, "ORDER BY inside ORDER BY", null);
            default -> binding.notSupported(query, binding.source().quote(query), "write SELECT …");
        };
    }

    private static void check(Binding binding, SqlSelect select) {
        if (!select.getWindowList().isEmpty()) {
            throw binding.notSupported(
                    select.getWindowList(), "WINDOW", "group by TUMBLE or HOP for windows of time");
        } else if (select.hasHints()) {
            throw binding.notSupported(select.getHints(), "a hint", "leave it out");
        } else if (select.isKeywordPresent(SqlSelectKeyword.STREAM)) {
            throw binding.notSupported(select, "SELECT STREAM", "write SELECT");
        } else if (select.getFrom() == null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    select,
                    "the query has no FROM",
                    "write SELECT … FROM packets");
        }
        if (select.getGroup() != null) {
            select.getGroup().forEach(item -> checkGroup(binding, item));
        }
    }

    /** OVER belongs into SELECT, QUALIFY and ORDER BY. Its aggregates are none of the query. */
    private void checkOver(Binding binding) {
        refuseOver(binding, where == null ? List.of() : List.of(where), "WHERE");
        refuseOver(binding, group == null ? List.of() : group, "GROUP BY");
        refuseOver(binding, having == null ? List.of() : List.of(having), "HAVING");
    }

    private static void refuseOver(Binding binding, List<SqlNode> nodes, String clause) {
        Contains.over(nodes)
                .ifPresent(
                        over -> {
                            throw binding.error(
                                    ErrorCode.INVALID_QUERY,
                                    over,
                                    OverWords.word(over)
                                            + " cannot stand in "
                                            + clause
                                            + ": it works on the rows that come out",
                                    clause.equals("GROUP BY")
                                            ? "make it a query, and group its rows"
                                            : "QUALIFY filters rows by it");
                        });
    }

    private static void checkGroup(Binding binding, SqlNode item) {
        boolean sets =
                switch (item.getKind()) {
                    case GROUPING_SETS, ROLLUP, CUBE, GROUP_BY_DISTINCT -> true;
                    default -> item instanceof SqlNodeList;
                };
        if (sets) {
            String name = item instanceof SqlBasicCall call ? call.getOperator().getName() : "()";
            name = name.replace("GROUP BY ", "");
            throw binding.notSupported(
                    item, name + " in GROUP BY", "write a query for each grouping");
        } else if (item.getKind() == SqlKind.ROW) {
            throw binding.notSupported(
                    item, "a row in GROUP BY", "write the columns without parentheses");
        }
    }
}
