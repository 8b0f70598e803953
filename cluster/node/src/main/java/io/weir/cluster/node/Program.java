package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.sql.Statement;
import java.util.List;

/**
 * The queries and texts of a program. Its CREATEs and DROPs are already done in the catalogue.
 *
 * @param queries whose rows it wants, in the order of the text: those that it creates, and its
 *     SELECTs under names of their own
 * @param texts answers of SHOW, DESCRIBE, EXPLAIN and TEST
 * @param warnings of its CREATEs
 * @param asks whether it has a SELECT or SUBSCRIBE
 */
public record Program(
        List<Query> queries, List<Answer.Texts> texts, List<String> warnings, boolean asks) {
    public Program {
        warnings = List.copyOf(warnings);
        queries = List.copyOf(queries);
        texts = List.copyOf(texts);
    }

    static boolean asks(List<Statement> statements) {
        return statements.stream()
                .anyMatch(
                        statement ->
                                statement instanceof Statement.Select
                                        || statement instanceof Statement.Subscribe);
    }

    public List<String> names() {
        return queries.stream().map(Query::name).toList();
    }
}
