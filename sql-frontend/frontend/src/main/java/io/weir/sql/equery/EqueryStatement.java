package io.weir.sql.equery;

import io.weir.sql.grammar.ParsedStatement;
import java.util.List;

/**
 * One {@code name: select …}, with its SQL.
 *
 * @param parameters names of its values that are no columns, in order of appearance
 * @param text as written
 */
public record EqueryStatement(ParsedStatement.Create create, List<String> parameters, String text) {
    public EqueryStatement {
        parameters = List.copyOf(parameters);
    }
}
