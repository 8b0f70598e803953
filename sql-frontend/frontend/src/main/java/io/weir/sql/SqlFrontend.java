package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.equery.EqueryParser;
import io.weir.sql.equery.EqueryStatement;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.grammar.ParsedStatement.Listed;
import io.weir.sql.parse.Nesting;
import io.weir.sql.parse.StatementParser;
import io.weir.sql.parse.StatementText;
import io.weir.sql.parse.Token;
import io.weir.sql.plan.SelectInput;
import io.weir.sql.sys.SysNames;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Parameters;
import io.weir.sql.validate.Placeholders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Turns SQL and Equery text into planned statements. Names are looked up in the catalogue. A text's
 * later statements also see what its earlier ones create and drop. Nothing is executed and the
 * catalogue is not changed. Any thread, if any can read the catalogue.
 *
 * <p>All errors are {@link WeirException}s of the class USER, with a place in the text. A text is
 * at most a mebibyte; see {@link StatementParser} for the other bounds.
 */
public final class SqlFrontend {
    private final Catalog catalog;
    private final SelectInput selecting;

    public SqlFrontend(Catalog catalog) {
        this(catalog, SelectInput.STREAM);
    }

    public SqlFrontend(Catalog catalog, SelectInput selecting) {
        this.catalog = catalog;
        this.selecting = selecting;
    }

    public List<Statement> parse(String text) {
        return parse(text, Map.of());
    }

    /**
     * Parses the statements of a text, separated by semicolons.
     *
     * @param parameters values of {@code :name}; INVALID_OPTION when the text does not use one
     */
    public List<Statement> parse(String text, Map<String, String> parameters) {
        return parse(text, parameters, Placeholders.none());
    }

    /**
     * Parses a text whose values are given beside it.
     *
     * @param values of the {@code ?}s of its one statement, which is no CREATE QUERY
     */
    public List<Statement> parse(String text, Placeholders values) {
        return parse(text, Map.of(), values);
    }

    private List<Statement> parse(
            String text, Map<String, String> parameters, Placeholders placeholders) {
        SqlSource source = new SqlSource(text);
        StatementParser parser = new StatementParser(source, placeholders.areTaken());
        List<StatementText> texts = parser.split();
        List<ParsedStatement> parsed = new ArrayList<>();
        for (StatementText statement : texts) {
            parsed.add(parser.parse(statement));
        }
        new PlaceholderRules(source, placeholders).check(texts, parsed);
        checkAllUsed(parameters, texts.stream().flatMap(t -> t.parameters().stream()));
        new ForwardReferences(source, catalog).check(parsed);
        MapCatalog seen = MapCatalog.over(catalog);
        List<Statement> statements = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            StatementText written = texts.get(i);
            Token first = written.first();
            SqlParserPos at = new SqlParserPos(first.line(), first.column());
            Parameters values =
                    new Parameters(
                            written.parameters(), parameters, placeholders, written::secondNs);
            StatementPlanner planner =
                    new StatementPlanner(new Binding(source, values), seen, selecting);
            statements.add(planned(planner, parsed.get(i), written.original(), at, source));
        }
        return statements;
    }

    /**
     * Parses Edison's language: {@code name: select …;}, each a CreateQuery.
     *
     * @param parameters values of names that are no column, such as K1
     */
    public List<Statement> parseEquery(String text, Map<String, String> parameters) {
        SqlSource source = new SqlSource(text);
        List<EqueryStatement> parsed = new EqueryParser(source).statements();
        checkAllUsed(parameters, parsed.stream().flatMap(t -> t.parameters().stream()));
        new ForwardReferences(source, catalog)
                .check(parsed.stream().map(s -> (ParsedStatement) s.create()).toList());
        MapCatalog seen = MapCatalog.over(catalog);
        List<Statement> statements = new ArrayList<>();
        for (EqueryStatement statement : parsed) {
            Parameters values =
                    new Parameters(
                            statement.parameters(),
                            parameters,
                            Placeholders.none(),
                            Parameters.Units.SECONDS);
            StatementPlanner planner =
                    new StatementPlanner(new Binding(source, values), seen, selecting);
            statements.add(
                    planned(
                            planner,
                            statement.create(),
                            statement.text(),
                            statement.create().name().getParserPosition(),
                            source));
        }
        return statements;
    }

    /** A statement that overflows the thread's stack is the user's error, and not ours. */
    private static Statement planned(
            StatementPlanner planner,
            ParsedStatement parsed,
            String sql,
            SqlParserPos at,
            SqlSource source) {
        try {
            return planner.plan(parsed, sql, at);
        } catch (StackOverflowError e) {
            throw Nesting.tooDeep(source, at);
        }
    }

    /**
     * Returns the answer to SHOW, DESCRIBE and EXPLAIN without KERNEL; other statements have none.
     */
    public Listing listing(Statement statement) {
        return new Listings(catalog).of(statement);
    }

    /** Returns the answer to DESCRIBE of a table of sys, which has these columns. */
    public static Listing described(List<Variable> columns) {
        return Listings.columns(columns);
    }

    /** Returns each possible table of sys, with the statement whose answer it is. */
    public static Map<String, Statement> sysTables() {
        Map<String, Statement> tables = new LinkedHashMap<>();
        for (Listed listed : Listed.values()) {
            tables.put(SysNames.name(listed), StatementPlanner.show(listed));
        }
        return tables;
    }

    private static void checkAllUsed(Map<String, String> given, Stream<String> used) {
        List<String> names = used.distinct().toList();
        for (String name : given.keySet()) {
            if (!names.contains(name)) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "the text has no parameter " + name,
                        Suggestion.hint(
                                name,
                                names,
                                names.isEmpty() ? null : "it has " + String.join(", ", names)));
            }
        }
    }

    /**
     * Returns the one statement of a text, which must be a query. Throws INVALID_QUERY otherwise.
     */
    public Statement.Select parseQuery(String text, Map<String, String> parameters) {
        List<Statement> statements = parse(text, parameters);
        if (statements.size() == 1 && statements.get(0) instanceof Statement.Select select) {
            return select;
        }
        throw new WeirException(ErrorCode.INVALID_QUERY, "one SELECT is expected here");
    }
}
