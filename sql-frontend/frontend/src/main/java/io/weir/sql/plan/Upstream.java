package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.Streams;
import io.weir.sql.validate.Binding;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Finds the queries that a WHEN names: by the qualifiers, or as the only one with the columns. */
final class Upstream {
    private final Binding binding;
    private final Catalog catalog;
    private final String self;

    Upstream(Binding binding, Catalog catalog, String self) {
        this.binding = binding;
        this.catalog = catalog;
        this.self = self;
    }

    /** Returns the queries in the order in which the conditions name them. */
    List<Query> of(SqlNode when, List<SqlIdentifier> columns) {
        Set<String> named = new LinkedHashSet<>();
        for (SqlIdentifier column : columns) {
            if (column.names.size() > 2) {
                throw unknown(column, String.join(".", column.names));
            } else if (column.names.size() == 2) {
                named.add(column.names.get(0));
                check(column, column.names.get(0));
            }
        }
        return named.isEmpty()
                ? List.of(byColumns(when, columns))
                : named.stream().map(name -> catalog.find(name).orElseThrow()).toList();
    }

    private void check(SqlNode at, String query) {
        if (query.equals(self)) {
            throw new Cycles(binding, catalog).itself(self, at);
        } else if (SubQueryNames.isOne(query) || catalog.find(query).isEmpty()) {
            throw unknown(at, query);
        }
    }

    private WeirException unknown(SqlNode at, String query) {
        boolean stream = Streams.isBuiltIn(query);
        return binding.error(
                ErrorCode.UNKNOWN_QUERY,
                at,
                stream
                        ? query + " is a stream: WHEN waits for a query"
                        : "there is no query " + query,
                Suggestion.hint(
                        query,
                        catalog.names(),
                        catalog.names().isEmpty()
                                ? "create it first"
                                : "the queries are " + String.join(", ", catalog.names())));
    }

    private Query byColumns(SqlNode when, List<SqlIdentifier> columns) {
        if (columns.isEmpty()) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    when,
                    "WHEN names no column of another query",
                    "write it as WHEN ddos.sources > 1000");
        }
        Set<String> wanted =
                columns.stream().map(SqlIdentifier::getSimple).collect(Collectors.toSet());
        List<String> fitting =
                catalog.names().stream()
                        .filter(name -> !name.equals(self) && hasAll(name, wanted))
                        .toList();
        if (fitting.size() == 1) {
            return catalog.find(fitting.get(0)).orElseThrow();
        }
        String column = columns.get(0).getSimple();
        throw binding.error(
                fitting.isEmpty() ? ErrorCode.UNKNOWN_QUERY : ErrorCode.INVALID_QUERY,
                columns.get(0),
                fitting.isEmpty()
                        ? "no query has a column " + column
                        : "several queries have a column "
                                + column
                                + ": "
                                + String.join(", ", fitting),
                "write it as query." + column);
    }

    private boolean hasAll(String query, Set<String> wanted) {
        return catalog.find(query).orElseThrow().columns().stream()
                .map(c -> c.name())
                .collect(Collectors.toSet())
                .containsAll(wanted);
    }
}
