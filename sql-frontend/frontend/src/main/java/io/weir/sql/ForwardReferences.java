package io.weir.sql;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.error.SqlSource;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.plan.References;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;

/**
 * Finds queries of one text that name queries created further down: a cycle, or the wrong order.
 * The planner could not tell the two apart, because it knows neither name.
 */
final class ForwardReferences {
    private final SqlSource source;
    private final Catalog catalog;

    /** The names that each created query uses, by the query's name. */
    private final Map<String, Map<String, SqlIdentifier>> uses = new LinkedHashMap<>();

    ForwardReferences(SqlSource source, Catalog catalog) {
        this.source = source;
        this.catalog = catalog;
    }

    void check(List<ParsedStatement> statements) {
        Map<String, Integer> created = new HashMap<>();
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof ParsedStatement.Create create) {
                created.putIfAbsent(create.name().getSimple(), i);
                uses.put(create.name().getSimple(), References.of(create.query()));
            }
        }
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof ParsedStatement.Create create) {
                check(create.name().getSimple(), i, created);
            }
        }
    }

    private void check(String name, int index, Map<String, Integer> created) {
        uses.get(name)
                .forEach(
                        (used, at) -> {
                            boolean later = created.getOrDefault(used, -1) > index;
                            if (later && catalog.find(used).isEmpty()) {
                                throw reaches(used, name, new HashSet<>())
                                        ? cycle(name, used, at)
                                        : later(used, at);
                            }
                        });
    }

    private boolean reaches(String from, String goal, Set<String> seen) {
        return from.equals(goal)
                || seen.add(from)
                        && uses.getOrDefault(from, Map.of()).keySet().stream()
                                .anyMatch(next -> reaches(next, goal, seen));
    }

    private WeirException cycle(String name, String used, SqlIdentifier at) {
        return source.error(
                ErrorCode.WHEN_CYCLE,
                at,
                "queries would wait for each other: " + name + " → " + used + " → " + name,
                "none of them could ever start");
    }

    private WeirException later(String used, SqlIdentifier at) {
        return source.error(
                ErrorCode.UNKNOWN_QUERY,
                at,
                used + " is created further down",
                "move it before this statement");
    }
}
