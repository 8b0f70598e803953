package io.weir.sql.parse;

import java.util.List;
import java.util.Optional;

/** The clauses of a query in their order, for the hint to a clause that comes too late. */
final class ClauseOrder {
    private static final List<String> CLAUSES =
            List.of("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WHEN", "WITH");

    private ClauseOrder() {}

    /** Returns the clause that the one at this token should have come before, if there is one. */
    static Optional<String> hint(List<Token> tokens, int index) {
        int place = place(tokens.get(index));
        int depth = 0;
        for (int i = index - 1; i >= 0 && place >= 0 && depth <= 0; i--) {
            Token token = tokens.get(i);
            if (token.isSymbol('(')) {
                depth++;
            } else if (token.isSymbol(')')) {
                depth--;
            } else if (depth == 0 && (place(token) == 0 || token.is("THEN"))) {
                return Optional.empty(); // the query begins here, or this is inside CASE WHEN
            } else if (depth == 0 && place(token) > place) {
                return Optional.of(name(place) + " comes before " + name(place(token)));
            }
        }
        return Optional.empty();
    }

    private static int place(Token token) {
        for (int i = 0; i < CLAUSES.size(); i++) {
            if (token.is(CLAUSES.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static String name(int place) {
        String word = CLAUSES.get(place);
        return word.equals("GROUP") || word.equals("ORDER") ? word + " BY" : word;
    }
}
