package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.Lexer;
import io.weir.sql.parse.Nesting;
import io.weir.sql.parse.Token;
import java.util.List;
import java.util.Optional;
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
        try {
            return KernelCompiler.compile(query, layouts);
        } catch (WeirException e) {
            throw e.place().isPresent() ? e : placed(e, query, layouts);
        } catch (StackOverflowError e) {
            throw Nesting.tooDeep(new SqlSource(query.sql()), BEGIN);
        }
    }

    /** Adds the place of the first column that a layout lacks, or of the statement. */
    private static WeirException placed(WeirException e, Query query, List<GpvLayout> layouts) {
        SqlSource source = new SqlSource(query.sql());
        Optional<String> absent =
                e.code() == ErrorCode.COLUMN_ABSENT
                        ? KernelCompiler.absent(query, layouts)
                        : Optional.empty();
        SqlParserPos at = absent.flatMap(column -> place(source, column)).orElse(BEGIN);
        return source.error(e.code(), at, e.getMessage(), e.hint().orElse(null));
    }

    private static Optional<SqlParserPos> place(SqlSource source, String column) {
        return Lexer.tokens(source).stream()
                .filter(token -> names(token, column))
                .findFirst()
                .map(token -> new SqlParserPos(token.line(), token.column()));
    }

    private static boolean names(Token token, String column) {
        return token.is(column)
                || token.kind() == Token.Kind.QUOTED_NAME
                        && token.text().equals("\"" + column + "\"");
    }
}
