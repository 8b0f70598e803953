package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Combination.JoinKind;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Plans a JOIN b ON …, and EXISTS (SELECT … FROM b WHERE …), over rows of queries. */
final class JoinClause {
    private static final String HINT =
            "join queries with windows: FROM (SELECT … GROUP BY TUMBLE(…)) AS a JOIN …";

    private final Binding binding;
    private final Streams streams;
    private final Function<SqlNode, FromSource> sources;
    private final Function<FromSource, FromSource> hidden;

    /**
     * @param sources plans a side
     * @param hidden makes a sub-query of a join, so that it can be a side
     */
    JoinClause(
            Binding binding,
            Streams streams,
            Function<SqlNode, FromSource> sources,
            Function<FromSource, FromSource> hidden) {
        this.binding = binding;
        this.streams = streams;
        this.sources = sources;
        this.hidden = hidden;
    }

    FromSource source(SqlJoin join) {
        JoinKind kind = kind(join);
        FromSource left = sources.apply(join.getLeft());
        FromSource right = sources.apply(join.getRight());
        if (join.getConditionType() == JoinConditionType.USING) {
            return using(join, left, right, kind);
        } else if (join.getConditionType() == JoinConditionType.NONE) {
            throw invalid(
                    join,
                    "the join has no condition",
                    "write a JOIN b ON a.window_end = b.window_end AND …");
        }
        return joined(left, right, kind, join.getCondition(), List.of());
    }

    private JoinKind kind(SqlJoin join) {
        if (join.isNatural()) {
            throw binding.notSupported(join, "NATURAL JOIN", "name the columns: USING (…)");
        }
        JoinType type = join.getJoinType();
        return switch (type) {
            case INNER -> JoinKind.INNER;
            case LEFT -> JoinKind.LEFT;
            case RIGHT -> JoinKind.RIGHT;
            case FULL -> JoinKind.FULL;
            case COMMA ->
                    throw binding.notSupported(
                            join, "a comma in FROM", "write a JOIN b ON a.window_end = …");
            default ->
                    throw binding.notSupported(
                            join, type.name().replace('_', ' ') + " JOIN", "write JOIN … ON …");
        };
    }

    private FromSource using(SqlJoin join, FromSource left, FromSource right, JoinKind kind) {
        List<String> columns = new ArrayList<>();
        for (SqlNode column : (SqlNodeList) join.getCondition()) {
            columns.add(((SqlIdentifier) column).getSimple());
        }
        SqlNode condition = null;
        for (String column : columns) {
            SqlParserPos at = join.getCondition().getParserPosition();
            SqlNode equal =
                    SqlStdOperatorTable.EQUALS.createCall(
                            at, of(left, column, at), of(right, column, at));
            condition =
                    condition == null
                            ? equal
                            : SqlStdOperatorTable.AND.createCall(at, condition, equal);
        }
        return joined(left, right, kind, condition, columns);
    }

    private SqlNode of(FromSource side, String column, SqlParserPos at) {
        List<String> all = side.columns(new SqlIdentifier(column, at));
        if (all.size() != 1) {
            throw invalid(
                    side.at(),
                    all.isEmpty()
                            ? "there is no column " + column + " in " + side.stream().name()
                            : "several sides have a column " + column,
                    "USING names columns of both sides; ON takes others");
        }
        String name = side.isJoin() ? all.get(0) : side.alias() + "." + all.get(0);
        return new SqlIdentifier(List.of(name.split("\\.", 2)), at);
    }

    /**
     * Joins a source with the one of EXISTS (SELECT … FROM … WHERE …).
     *
     * @param negated NOT EXISTS
     */
    FromSource exists(FromSource left, SqlCall exists, boolean negated) {
        SqlNode query = exists.operand(0);
        boolean plain =
                query instanceof SqlSelect select
                        && select.getFrom() != null
                        && select.getFrom().getKind() != SqlKind.JOIN
                        && select.getWhere() != null
                        && select.getGroup() == null
                        && select.getHaving() == null;
        if (!plain) {
            throw binding.notSupported(
                    query,
                    "this EXISTS",
                    "write EXISTS (SELECT 1 FROM b WHERE b.window_end = a.window_end AND …)");
        }
        SqlSelect select = (SqlSelect) query;
        FromSource right = sources.apply(select.getFrom());
        JoinKind kind = negated ? JoinKind.ANTI : JoinKind.SEMI;
        return joined(left, right, kind, select.getWhere(), List.of());
    }

    private FromSource joined(
            FromSource one,
            FromSource other,
            JoinKind kind,
            SqlNode condition,
            List<String> using) {
        FromSource left = one.isJoin() ? hidden.apply(one) : one;
        if (other.isJoin()) {
            throw binding.notSupported(
                    other.at(), "a join as the right side", "make it a sub-query");
        }
        check(left);
        check(other);
        List<String> aliases =
                new ArrayList<>(left.isJoin() ? left.sides() : List.of(left.alias()));
        if (aliases.contains(other.alias())) {
            throw invalid(other.at(), "two sides are called " + other.alias(), "give one an alias");
        }
        Optional<Window> window = window(left, other);
        return new JoinCondition(binding, streams, left, other, kind, window)
                .joined(condition, using);
    }

    private void check(FromSource side) {
        Stream stream = side.stream();
        if (side.window().isPresent()) {
            throw binding.notSupported(side.at(), "TABLE(…) in a join", HINT);
        } else if (!stream.type().isOfQuery()) {
            throw invalid(side.at(), "a join takes rows of queries, and no " + stream.name(), HINT);
        } else if (side.alias().contains(".")) {
            throw invalid(side.at(), "an alias in a join has no point", "rename it");
        }
    }

    /** Returns the windows of both sides; empty for totals. */
    private Optional<Window> window(FromSource left, FromSource right) {
        if (left.stream().isTable() && right.stream().isTable()) {
            return Optional.empty();
        } else if (left.stream().isTable() || right.stream().isTable()) {
            FromSource table = left.stream().isTable() ? left : right;
            throw invalid(
                    table.at(),
                    table.stream().name() + " has no window, and the other side has",
                    "give both sides equal windows, or none");
        }
        Window first = window(left);
        Window second = window(right);
        if (!first.equals(second)) {
            throw invalid(
                    right.at(),
                    "the windows of "
                            + left.stream().name()
                            + " and "
                            + right.stream().name()
                            + " differ",
                    "a join takes windows of one size, slide and offset");
        }
        return Optional.of(first);
    }

    private Window window(FromSource side) {
        String query =
                side.stream()
                        .of()
                        .map(several -> several.queries().get(0))
                        .orElse(side.stream().type().name());
        return streams.window(query)
                .orElseThrow(
                        () ->
                                invalid(
                                        side.at(),
                                        side.stream().name() + " has single rows, and no windows",
                                        HINT));
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
