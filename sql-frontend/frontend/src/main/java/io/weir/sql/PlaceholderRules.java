package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.parse.StatementText;
import io.weir.sql.parse.Token;
import io.weir.sql.validate.Placeholders;
import java.util.List;

/** Checks where a {@code ?} may stand, and that there are as many as values. */
final class PlaceholderRules {
    private final SqlSource source;
    private final Placeholders placeholders;

    PlaceholderRules(SqlSource source, Placeholders placeholders) {
        this.source = source;
        this.placeholders = placeholders;
    }

    void check(List<StatementText> texts, List<ParsedStatement> parsed) {
        if (!placeholders.areTaken() || texts.size() != 1) {
            return;
        }
        List<Token> all = texts.get(0).tokens().stream().filter(t -> t.isSymbol('?')).toList();
        if (!all.isEmpty() && isKept(parsed.get(0))) {
            throw at(
                    all.get(0),
                    ErrorCode.NOT_SUPPORTED,
                    "a parameter (?) in CREATE is not supported",
                    "write the value itself: its text is kept");
        }
        placeholders.counted(all.size());
        int given = placeholders.values().size();
        if (!placeholders.areToCome() && given < all.size()) {
            throw at(
                    all.get(given),
                    ErrorCode.MISSING_PARAMETER,
                    "the parameter " + (given + 1) + " (?) has no value",
                    null);
        } else if (given > all.size()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "the statement has " + all.size() + " parameters (?), not " + given);
        }
    }

    private static boolean isKept(ParsedStatement statement) {
        return statement instanceof ParsedStatement.Create
                || statement instanceof ParsedStatement.CreateAggregate
                || statement instanceof ParsedStatement.Explain explain
                        && explain.statement() instanceof ParsedStatement.Create;
    }

    private WeirException at(Token token, ErrorCode code, String message, String hint) {
        return source.error(code, token.line(), token.column(), message, hint);
    }
}
