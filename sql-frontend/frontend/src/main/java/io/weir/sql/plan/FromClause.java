package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.sys.SysNames;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/**
 * Plans FROM stream, FROM query, FROM (SELECT …) and FROM TABLE(TUMBLE(…)), each with an optional
 * alias.
 */
final class FromClause {
    private static final String OF_SERVICE =
            "SELECT … FROM sys.queries is answered at once, with the present rows";
    private final Binding binding;
    private final Streams streams;
    private final Map<String, Query> named;
    private final InnerQueries inner;

    /**
     * @param named sub-queries by the names that WITH gives them
     */
    FromClause(Binding binding, Streams streams, Map<String, Query> named, InnerQueries inner) {
        this.binding = binding;
        this.streams = streams;
        this.named = named;
        this.inner = inner;
    }

    JoinClause joins() {
        return new JoinClause(binding, streams, this::source, this::hidden);
    }

    /** A join as a side of another one. */
    private FromSource hidden(FromSource join) {
        Stream stream = streams.of(inner.of(join.stream())).named(join.stream().name());
        return new FromSource(
                stream, join.alias(), Optional.empty(), join.at(), join.sides(), join.using());
    }

    FromSource source(SqlNode from) {
        if (from.getKind() != SqlKind.AS) {
            return source(from, null);
        }
        SqlCall as = (SqlCall) from;
        if (as.operandCount() > 2) {
            throw binding.notSupported(as, "an alias with columns", "rename columns in SELECT");
        }
        return source(as.operand(0), ((SqlIdentifier) as.operand(1)).getSimple());
    }

    private FromSource source(SqlNode from, String alias) {
        if (from instanceof SqlIdentifier name) {
            Stream stream = stream(name);
            String known = alias == null ? stream.name() : alias;
            return new FromSource(stream, known, Optional.empty(), name);
        } else if (from.getKind() == SqlKind.COLLECTION_TABLE) {
            return windowed(((SqlCall) from).operand(0), alias);
        } else if (from.getKind() == SqlKind.EXPLICIT_TABLE) {
            return source(((SqlCall) from).operand(0), alias);
        } else if (from.getKind() == SqlKind.SELECT
                || from.getKind() == SqlKind.ORDER_BY
                || from.getKind() == SqlKind.WITH) {
            return subQuery(from, alias);
        } else if (from instanceof SqlJoin join && alias == null) {
            Optional<LookupTable> table = table(join.getRight());
            return table.isPresent() ? joined(join, table.get()) : joins().source(join);
        } else if (from.getKind() == SqlKind.UNION) {
            String known = alias == null ? "the union" : alias;
            Stream stream = new UnionClause(binding, streams, inner).stream((SqlCall) from, known);
            return new FromSource(stream, known, Optional.empty(), from);
        }
        throw unsupported(from);
    }

    private FromSource subQuery(SqlNode from, String alias) {
        String known = alias == null ? "the sub-query" : alias;
        Stream stream = streams.of(inner.query(from)).named(known);
        return new FromSource(stream, known, Optional.empty(), from);
    }

    /** Returns the lookup table that a side of a join names. */
    private Optional<LookupTable> table(SqlNode side) {
        SqlNode name = side.getKind() == SqlKind.AS ? ((SqlCall) side).operand(0) : side;
        return name instanceof SqlIdentifier id
                ? Streams.named(id.names).flatMap(streams::table)
                : Optional.empty();
    }

    /** A stream, and a lookup table at its right. */
    private FromSource joined(SqlJoin join, LookupTable table) {
        SqlNode right = join.getRight();
        boolean named = right.getKind() == SqlKind.AS;
        boolean left = join.getJoinType() == JoinType.LEFT;
        if (!left && join.getJoinType() != JoinType.INNER || join.isNatural()) {
            throw binding.notSupported(
                    join,
                    "this kind of join with a lookup table",
                    "JOIN and LEFT JOIN are; NOT IN (SELECT …) keeps rows without a match");
        } else if (join.getConditionType() != JoinConditionType.ON) {
            throw binding.notSupported(
                    join, "a join with a lookup table without ON", "JOIN … ON src_addr = t.addr");
        }
        String alias =
                named ? ((SqlIdentifier) ((SqlCall) right).operand(1)).getSimple() : table.name();
        FromSource source = source(join.getLeft());
        if (source.isQualifier(alias)) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    right,
                    "two parts of FROM are " + alias,
                    "JOIN " + table.name() + " AS another_name");
        }
        return source.with(new TableJoin(table, alias, left, join.getCondition(), right));
    }

    private WeirException unsupported(SqlNode from) {
        String hint = "create a query, and select from it";
        return switch (from.getKind()) {
            case JOIN -> binding.notSupported(from, "a join with an alias", hint);
            case INTERSECT, EXCEPT, VALUES ->
                    binding.notSupported(from, from.getKind().sql + " in FROM", hint);
            case TABLE_REF -> binding.notSupported(from, "a hint", "leave it out");
            case SNAPSHOT -> binding.notSupported(from, "FOR SYSTEM_TIME in FROM", null);
            case LATERAL, UNNEST, PIVOT, UNPIVOT, MATCH_RECOGNIZE, TABLESAMPLE ->
                    binding.notSupported(from, from.getKind().sql + " in FROM", null);
            default -> binding.notSupported(from, binding.source().quote(from) + " in FROM", null);
        };
    }

    private Stream stream(SqlIdentifier name) {
        if (SysNames.isOne(name)) {
            throw binding.notSupported(name, "CREATE QUERY or EXPLAIN over sys", OF_SERVICE);
        }
        Query part = name.isSimple() ? named.get(name.getSimple()) : null;
        if (part != null) {
            return streams.of(part).named(name.getSimple());
        }
        String stream = Streams.named(name.names).orElseThrow(() -> otherSchema(name));
        Optional<String> inPlace = Streams.inPlaceOf(stream);
        if (inPlace.isPresent()) {
            throw binding.notSupported(name, "the stream " + stream, inPlace.get());
        }
        return streams.find(stream)
                .filter(found -> !SubQueryNames.isOne(stream))
                .orElseThrow(() -> unknown(name, stream));
    }

    private WeirException otherSchema(SqlIdentifier name) {
        String last = name.names.get(name.names.size() - 1);
        String known = streams.find(last).isPresent() ? last : "packets";
        return binding.error(
                ErrorCode.UNKNOWN_STREAM,
                name,
                "there is no stream or query " + String.join(".", name.names),
                "the schema is " + Streams.SCHEMA + ", and need not be said: FROM " + known);
    }

    private WeirException unknown(SqlNode at, String name) {
        if (streams.table(name).isPresent()) {
            return binding.notSupported(
                    at,
                    "FROM with a lookup table alone",
                    "FROM packets JOIN " + name + " ON src_addr = " + name + ".…");
        }
        List<String> known = new ArrayList<>(named.keySet());
        known.addAll(streams.names());
        return binding.error(
                ErrorCode.UNKNOWN_STREAM,
                at,
                "there is no stream or query " + name,
                Suggestion.hint(name, known, "SHOW STREAMS lists them"));
    }

    /** TABLE(TUMBLE(TABLE packets, DESCRIPTOR(ts), INTERVAL '1' SECOND)). */
    private FromSource windowed(SqlCall call, String alias) {
        Windows windows = new Windows(binding);
        FunctionDef def = windows.def(call);
        if (call.operandCount() < 3 || !isDescriptor(call.operand(1))) {
            throw windows.malformed(call, def.name() + "(TABLE packets, DESCRIPTOR(ts), …)");
        }
        FromSource inner = source(call.operand(0), alias);
        if (inner.window().isPresent()) {
            throw binding.notSupported(call, "a window over a window", null);
        }
        TimeColumn time = windows.time(inner, ((SqlCall) call.operand(1)).operand(0));
        Window window =
                windows.of(call, def, call.getOperandList().subList(2, call.operandCount()));
        return new FromSource(
                inner.stream(), inner.alias(), Optional.of(new Windowing(window, time)), call);
    }

    private static boolean isDescriptor(SqlNode node) {
        return node instanceof SqlCall call
                && call.getOperator().getName().equalsIgnoreCase("DESCRIPTOR")
                && call.operandCount() == 1;
    }
}
