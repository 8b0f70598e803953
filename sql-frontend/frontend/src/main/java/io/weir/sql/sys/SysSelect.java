package io.weir.sql.sys;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.grammar.ParsedStatement.Listed;
import io.weir.sql.validate.Binding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * SELECT over listings: a snapshot that ends. Calcite resolves names and types and makes the rows.
 * It is not loaded before the first use. Immutable, any thread.
 *
 * <p>The cost is bounded: {@value #MOST_TABLES} tables, {@value #MOST_ROWS} rows and {@value
 * #MOST_SECONDS} seconds. The rows of several tables make at most {@value #MOST_COMBINATIONS}
 * combinations.
 */
public final class SysSelect {
    public static final int MOST_TABLES = 5;
    public static final long MOST_COMBINATIONS = 1_000_000;
    static final long MOST_SECONDS = 10;

    /** The most rows of its answer; no table has more. */
    static final int MOST_ROWS = 100_000;

    private final SqlSource source;
    private final SysPlaces places;
    private final String sql;
    private final List<Listed> tables;
    private final List<Long> values;

    private SysSelect(
            SqlSource source,
            SysPlaces places,
            String sql,
            List<Listed> tables,
            List<Long> values) {
        this.source = source;
        this.places = places;
        this.sql = sql;
        this.tables = tables;
        this.values = values;
    }

    /**
     * Returns the statement if it names sys, or no table at all: tools use {@code SELECT 1} to test
     * a connection.
     *
     * @param sql as written, at the place in the source that its first word has
     */
    public static Optional<SysSelect> of(
            Binding binding, ParsedStatement.Query parsed, String sql, SqlParserPos first) {
        SysTables named = SysTables.of(parsed.query());
        if (!named.any() && !SysTables.isConstant(parsed.query())) {
            return Optional.empty();
        }
        named.checkLiterals(binding);
        SqlNode wrong = parsed.when();
        if (wrong == null && !parsed.settings().isEmpty()) {
            wrong = parsed.settings().get(0).name();
        }
        if (wrong != null) {
            throw binding.notSupported(wrong, "WHEN or WITH in a SELECT from sys", null);
        }
        List<Listed> tables = named.listings(binding);
        if (tables.size() > MOST_TABLES) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    parsed.query(),
                    "more than " + MOST_TABLES + " tables of sys in one statement");
        }
        // Calcite reads it again, and must count lines and columns as the user does.
        String before = "\n".repeat(first.getLineNum() - 1) + " ".repeat(first.getColumnNum() - 1);
        return Optional.of(
                new SysSelect(
                        binding.source(),
                        SysPlaces.of(parsed.query()),
                        before + sql,
                        tables,
                        named.values()));
    }

    /** Returns the listings that it reads. */
    public List<Listed> tables() {
        return tables.stream().distinct().toList();
    }

    /** Returns the listing of a name in sys. Throws UNKNOWN_STREAM if there is none. */
    public static Listed listed(Binding binding, SqlIdentifier name) {
        return SysTables.listing(binding, name);
    }

    /**
     * Returns the columns of its rows: BIGINT, DOUBLE, BOOLEAN and VARCHAR.
     *
     * @param contents of its tables, by their names; their rows are not read
     * @throws WeirException if Calcite finds an error in it
     */
    public List<Variable> columns(Map<String, SysContents> contents) {
        return run(contents).columns();
    }

    /**
     * Returns its rows over these tables: a Long, a Double, a Boolean, a text or null in each
     * column.
     */
    public List<Object[]> rows(Map<String, SysContents> contents) {
        if (tables.size() + values.size() > 1) {
            checkCombinations(contents);
        }
        return run(contents).rows();
    }

    private SysRun run(Map<String, SysContents> contents) {
        Deadline deadline = Deadline.after(Duration.ofSeconds(MOST_SECONDS), Clock.SYSTEM);
        return new SysRun(source, places, sql, contents, deadline);
    }

    private void checkCombinations(Map<String, SysContents> contents) {
        double product = 1;
        for (Listed table : tables) {
            product *= Math.max(1, contents.get(SysNames.name(table)).rows().size());
        }
        for (long rows : values) {
            product *= rows;
        }
        if (product > MOST_COMBINATIONS) {
            throw source.error(
                    ErrorCode.INVALID_QUERY,
                    places.statement(),
                    "its tables have "
                            + (long) product
                            + " combinations of rows, over "
                            + MOST_COMBINATIONS,
                    "ask for one table at a time, or for a stream's rows by a query");
        }
    }
}
