package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.Stream;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;

/** Checks that no query reads itself or waits for itself through others. */
public final class Cycles {
    private final Binding binding;
    private final Catalog catalog;

    public Cycles(Binding binding, Catalog catalog) {
        this.binding = binding;
        this.catalog = catalog;
    }

    /** Checks the query's input. */
    void check(String name, FromSource source) {
        Stream stream = source.stream();
        List<String> read =
                stream.of()
                        .map(Combination::queries)
                        .orElse(
                                stream.type().isOfQuery()
                                        ? List.of(stream.type().name())
                                        : List.of());
        read.stream()
                .filter(query -> !SubQueryNames.isOne(query))
                .forEach(query -> checkWhen(name, query, source.at()));
    }

    /** Checks a query that this one depends on. */
    void checkWhen(String name, String upstream, SqlNode at) {
        List<String> path = new ArrayList<>(List.of(name));
        if (reaches(upstream, name, path, new HashSet<>())) {
            throw upstream.equals(name) ? itself(name, at) : cycle(path, at);
        }
    }

    private boolean reaches(String from, String goal, List<String> path, Set<String> seen) {
        path.add(from);
        if (from.equals(goal)) {
            return true;
        }
        Optional<Query> query = seen.add(from) ? catalog.find(from) : Optional.empty();
        if (query.isPresent()) {
            for (String next : upstreams(query.get())) {
                if (reaches(next, goal, path, seen)) {
                    return true;
                }
            }
        }
        path.remove(path.size() - 1);
        return false;
    }

    /** Returns the queries that a query and its sub-queries read and wait for. */
    public static List<String> upstreams(Query query) {
        List<String> names = new ArrayList<>();
        query.all().forEach(one -> names.addAll(one.scan().queries()));
        query.when().ifPresent(when -> names.addAll(when.upstreams()));
        return names;
    }

    WeirException itself(String name, SqlNode at) {
        return binding.error(
                ErrorCode.WHEN_CYCLE,
                at,
                name + " would depend on itself",
                "a query waits for other queries only");
    }

    private WeirException cycle(List<String> path, SqlNode at) {
        return binding.error(
                ErrorCode.WHEN_CYCLE,
                at,
                "queries would wait for each other: " + String.join(" → ", path),
                "none of them could ever start");
    }
}
