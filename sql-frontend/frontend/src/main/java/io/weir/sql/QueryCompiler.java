package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.Lexer;
import io.weir.sql.parse.Nesting;
import io.weir.sql.parse.Token;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Makes kernels of a query that was written as text. It does the work of {@link KernelCompiler},
 * but its errors have their place in the statement. Any thread.
 */
public final class QueryCompiler {
    private static final SqlParserPos BEGIN = new SqlParserPos(1, 1);

    private QueryCompiler() {}

    /**
     * Compiles a query.
     *
     * @param layouts the layouts that the sources emit
     * @throws WeirException as {@link KernelCompiler#compile}
     */
    public static CompiledQuery compile(Query query, List<GpvLayout> layouts) {
        return placed(query, layouts, () -> KernelCompiler.compile(query, layouts));
    }

    /**
     * Throws when {@link #compile} would refuse the query, and defines no class.
     *
     * @param layouts the layouts that the sources emit
     */
    public static void check(Query query, List<GpvLayout> layouts) {
        var unused =
                placed(
                        query,
                        layouts,
                        () -> {
                            KernelCompiler.check(query, layouts);
                            return query;
                        });
    }

    /**
     * Throws when a query runs on one machine only. Totals of a cluster have no end at which they
     * could be put together.
     *
     * @throws WeirException NOT_SUPPORTED, with its place
     */
    public static void checkDistributed(Query query) {
        checkTotals(query);
        checkBudget(query);
    }

    /** A merge goes on when rows find no room: their windows say so. */
    private static void checkBudget(Query query) {
        List<Query> failing =
                query.all().stream()
                        .filter(one -> one.budget().filter(Budget::fails).isPresent())
                        .toList();
        if (!failing.isEmpty() && failing.stream().noneMatch(one -> one.reads().isSpread())) {
            SqlSource source = new SqlSource(query.sql());
            throw source.error(
                    ErrorCode.NOT_SUPPORTED,
                    place(source, token -> token.is("on_overflow")).orElse(BEGIN),
                    "'fail' of a query over another query's rows runs on one machine",
                    "'evict' leaves rows out, and completeness says so");
        }
    }

    /** Totals of a cluster have no end at which they could be put together. */
    private static void checkTotals(Query query) {
        if (query.all().stream().anyMatch(one -> one.scan().combinesTables())) {
            SqlSource source = new SqlSource(query.sql());
            throw source.error(
                    ErrorCode.NOT_SUPPORTED,
                    place(
                                    source,
                                    token ->
                                            token.is("join")
                                                    || token.is("union")
                                                    || token.is("order"))
                            .orElse(BEGIN),
                    "totals are ordered, joined or put together on one machine only",
                    "give the queries windows");
        }
    }

    private static <T> T placed(Query query, List<GpvLayout> layouts, Supplier<T> work) {
        try {
            return work.get();
        } catch (WeirException e) {
            throw e.place().isPresent() ? e : placed(e, query, layouts);
        } catch (StackOverflowError e) {
            throw Nesting.tooDeep(new SqlSource(query.sql()), BEGIN);
        }
    }

    /**
     * Adds the place of a column that a layout lacks, of a string too many, or of the statement.
     */
    private static WeirException placed(WeirException e, Query query, List<GpvLayout> layouts) {
        SqlSource source = new SqlSource(query.sql());
        Optional<SqlParserPos> at =
                switch (e.code()) {
                    case COLUMN_ABSENT ->
                            KernelCompiler.absent(query, layouts)
                                    .flatMap(column -> place(source, t -> names(t, column)));
                    case TOO_MANY_STRINGS -> placeOfString(source, KernelCompiler.strings(query));
                    default -> Optional.empty();
                };
        return source.error(e.code(), at.orElse(BEGIN), e.getMessage(), e.hint().orElse(null));
    }

    private static Optional<SqlParserPos> placeOfString(SqlSource source, List<String> strings) {
        if (strings.size() <= Query.MOST_STRINGS) {
            return Optional.empty();
        }
        String quoted = "'" + strings.get(Query.MOST_STRINGS).replace("'", "''") + "'";
        return place(source, t -> t.kind() == Token.Kind.STRING && t.text().equals(quoted));
    }

    private static Optional<SqlParserPos> place(SqlSource source, Predicate<Token> wanted) {
        return Lexer.tokens(source).stream()
                .filter(wanted)
                .findFirst()
                .map(token -> new SqlParserPos(token.line(), token.column()));
    }

    private static boolean names(Token token, String column) {
        return token.is(column)
                || token.kind() == Token.Kind.QUOTED_NAME
                        && token.text().equals("\"" + column + "\"");
    }
}
