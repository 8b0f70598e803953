package io.weir.sql.equery;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.Streams;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.parse.StatementParser;
import io.weir.sql.parse.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Parses Edison's language (IFIP IM 2019). A query is {@code name: select field, … [groupby field,
 * …] [where cond, …] [when cond, …];}, with the last three in any order. Its rows are those of
 * {@code flows}.
 */
public final class EqueryParser {
    private static final Set<String> CLAUSES = Set.of("groupby", "where", "when");

    private final EqueryCursor cursor;

    /** The clauses of the statement being read; null when absent. */
    private SqlNodeList groupBy;

    private SqlNode where;
    private SqlNode when;
    private EqueryTerms terms;

    public EqueryParser(SqlSource source) {
        cursor = new EqueryCursor(source);
    }

    public List<EqueryStatement> statements() {
        List<EqueryStatement> statements = new ArrayList<>();
        while (!cursor.isAtEnd()) {
            if (cursor.take(';')) {
                continue;
            } else if (statements.size() == StatementParser.MAX_STATEMENTS) {
                throw cursor.unexpected("at most " + statements.size() + " queries");
            }
            statements.add(statement());
        }
        return statements;
    }

    private EqueryStatement statement() {
        groupBy = null;
        where = null;
        when = null;
        terms = new EqueryTerms(cursor);
        Token name = cursor.word("a name, as in q1: select …");
        cursor.expect(':');
        if (!cursor.take("select")) {
            throw cursor.unexpected("select");
        }
        SqlNodeList fields = list(name);
        while (!cursor.isAtEnd() && !cursor.isAt(';')) {
            clause();
        }
        SqlNode query = select(cursor.pos(name), fields);
        ParsedStatement.Create create =
                new ParsedStatement.Create(
                        new SqlIdentifier(name.text().toLowerCase(Locale.ROOT), cursor.pos(name)),
                        false,
                        new ParsedStatement.Query(query, null, when, null, null, List.of()));
        return new EqueryStatement(create, terms.parameters(), cursor.textFrom(name));
    }

    private SqlNode select(SqlParserPos at, SqlNodeList fields) {
        SqlNode flows = new SqlIdentifier(Streams.FLOWS, at);
        return new SqlSelect(
                at, null, fields, flows, where, groupBy, null, null, null, null, null, null, null);
    }

    private void clause() {
        Token keyword = cursor.next("groupby, where or when");
        String name = keyword.text().toLowerCase(Locale.ROOT);
        boolean again =
                switch (name) {
                    case "groupby" -> groupBy != null;
                    case "where" -> where != null;
                    case "when" -> when != null;
                    default -> throw noClause(keyword);
                };
        if (again) {
            throw cursor.error(ErrorCode.SYNTAX, keyword, "a second " + name, null);
        }
        switch (name) {
            case "groupby" -> groupBy = list(keyword);
            case "where" -> where = conditions();
            default -> when = conditions();
        }
    }

    private WeirException noClause(Token token) {
        return cursor.error(
                ErrorCode.SYNTAX,
                token,
                "unexpected " + token.text() + "; expected groupby, where, when or ;",
                null);
    }

    /** field, field, … */
    private SqlNodeList list(Token after) {
        SqlNodeList list = new SqlNodeList(cursor.pos(after));
        do {
            if (!cursor.isAtEnd() && CLAUSES.contains(cursor.peek().text())) {
                throw cursor.unexpected("a field");
            }
            list.add(terms.field());
        } while (cursor.take(','));
        return list;
    }

    /** Conditions separated by commas, or by the word and: all must hold. */
    private SqlNode conditions() {
        SqlNode all = terms.condition();
        while (cursor.take(',') || cursor.take("and")) {
            SqlNode next = terms.condition();
            all = SqlStdOperatorTable.AND.createCall(next.getParserPosition(), all, next);
        }
        return all;
    }
}
