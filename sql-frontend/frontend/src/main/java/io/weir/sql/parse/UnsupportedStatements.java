package io.weir.sql.parse;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import java.util.List;
import java.util.Optional;

/**
 * Names statements that Weir knows and does not run yet, or never will, so that they are not
 * misread.
 */
final class UnsupportedStatements {
    private record Feature(String words, String message, String hint) {}

    private static final String READ_ONLY = "streams are read, never written";
    private static final String POSITIONS = "name the columns, or their positions in SELECT: 1, 2";
    private static final String SINKS =
            "sinks are options of weir run, worker, server --kafka and up: --sink file:rows";

    /** Features by their first words. */
    private static final List<Feature> STATEMENTS =
            List.of(
                    new Feature("CREATE SINK", "CREATE SINK is not supported yet", SINKS),
                    new Feature("DROP SINK", "DROP SINK is not supported yet", SINKS),
                    new Feature("SHOW SINKS", "SHOW SINKS is not supported yet", SINKS),
                    new Feature(
                            "EXPLAIN PLAN",
                            "EXPLAIN PLAN FOR is not supported",
                            "write EXPLAIN followed by the query"),
                    new Feature(
                            "CREATE VIEW",
                            "there are no views, only streams and queries",
                            "write CREATE QUERY name AS SELECT …"),
                    new Feature("ALTER", "ALTER is not supported", "use CREATE OR REPLACE QUERY"),
                    new Feature("INSERT", "INSERT is not supported", READ_ONLY),
                    new Feature("UPDATE", "UPDATE is not supported", READ_ONLY),
                    new Feature("DELETE", "DELETE is not supported", READ_ONLY),
                    new Feature("MERGE", "MERGE is not supported", READ_ONLY),
                    new Feature("UPSERT", "UPSERT is not supported", READ_ONLY),
                    new Feature("TRUNCATE", "TRUNCATE is not supported", READ_ONLY),
                    new Feature("CALL", "CALL is not supported", null),
                    new Feature(
                            "SET",
                            "SET is not supported",
                            "weir run fills parameters (:name) by --set name=value"));

    /** Features at any place. They are sought only once the grammar has refused the statement. */
    private static final List<Feature> CLAUSES =
            List.of(
                    new Feature(
                            "FROM ?",
                            "a parameter in place of a stream is not supported",
                            "a stream or a query is named in FROM"),
                    new Feature(
                            "DISTINCT ON",
                            "DISTINCT ON is not supported",
                            "group by those columns, and aggregate the others"),
                    new Feature(
                            "* EXCEPT",
                            "* EXCEPT is not supported",
                            "name the columns that are wanted"),
                    new Feature(
                            "* REPLACE",
                            "* REPLACE is not supported",
                            "name the columns that are wanted"),
                    new Feature("CURSOR (", "CURSOR is not supported", null),
                    new Feature(
                            "* EXCLUDE",
                            "* EXCLUDE is not supported",
                            "name the columns that are wanted"),
                    new Feature("GROUP BY ALL", "GROUP BY ALL is not supported", POSITIONS),
                    new Feature("ORDER BY ALL", "ORDER BY ALL is not supported", POSITIONS),
                    new Feature(
                            "EMIT CHANGES",
                            "EMIT CHANGES is not supported",
                            "leave it out: windows come as they close, totals as they change"),
                    new Feature(
                            "EMIT FINAL",
                            "EMIT FINAL is not supported",
                            "EMIT ON WINDOW CLOSE says the same"));

    private UnsupportedStatements() {}

    /** Throws when the statement begins like one of these. */
    static void check(SqlSource source, StatementText statement) {
        for (Feature feature : STATEMENTS) {
            if (startsAt(statement.tokens(), 0, feature.words())) {
                throw error(source, statement.first(), feature);
            }
        }
    }

    /** Returns the error for a refused statement that has one of these clauses. */
    static Optional<WeirException> clause(SqlSource source, StatementText statement) {
        List<Token> tokens = statement.tokens();
        for (int i = 1; i < tokens.size(); i++) {
            for (Feature feature : CLAUSES) {
                if (startsAt(tokens, i, feature.words())) {
                    return Optional.of(error(source, tokens.get(i), feature));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean startsAt(List<Token> tokens, int from, String words) {
        String[] each = words.split(" ");
        if (tokens.size() < from + each.length) {
            return false;
        }
        for (int i = 0; i < each.length; i++) {
            if (!tokens.get(from + i).text().equalsIgnoreCase(each[i])) {
                return false;
            }
        }
        return true;
    }

    private static WeirException error(SqlSource source, Token at, Feature feature) {
        return source.error(
                ErrorCode.NOT_SUPPORTED, at.line(), at.column(), feature.message(), feature.hint());
    }
}
