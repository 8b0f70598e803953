package io.weir.operators.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The names of sub-queries: {@code q$1} is one of the query q. Stateless. */
public final class SubQueryNames {
    private static final char MARK = '$';

    private SubQueryNames() {}

    public static String of(String query, int number) {
        return query + MARK + number;
    }

    /** Returns whether it is a sub-query's name. */
    public static boolean isOne(String name) {
        return number(name).isPresent();
    }

    /** Returns the number in a sub-query's name; empty for another name. */
    public static OptionalInt number(String name) {
        int mark = name.lastIndexOf(MARK);
        String digits = name.substring(mark + 1);
        boolean one =
                mark > 0
                        && !digits.isEmpty()
                        && digits.length() < 10
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return one ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
    }

    /** Returns the query of a sub-query; for another name the name itself. */
    public static String owner(String name) {
        return isOne(name) ? name.substring(0, name.lastIndexOf(MARK)) : name;
    }

    /** Returns the query under another name, and its sub-queries under names of that. */
    public static Query renamed(Query query, String name) {
        Map<String, String> names = new HashMap<>();
        for (Query part : query.parts()) {
            names.put(part.name(), of(name, number(part.name()).orElseThrow()));
        }
        List<Query> parts = new ArrayList<>();
        for (Query part : query.parts()) {
            parts.add(renamed(part, names.get(part.name()), names, List.of()));
        }
        return renamed(query, name, names, parts);
    }

    private static Query renamed(
            Query query, String name, Map<String, String> names, List<Query> parts) {
        Operator root = names.isEmpty() ? query.root() : reading(query.root(), names);
        return new Query(name, root, query.when(), query.sql(), query.budget(), parts);
    }

    private static Operator reading(Operator operator, Map<String, String> names) {
        if (operator instanceof Operator.Sort sort) {
            Operator input = reading(sort.input(), names);
            return new Operator.Sort(input, sort.orders(), sort.limit(), sort.offset());
        } else if (operator instanceof Operator.Project project) {
            return new Operator.Project(reading(project.input(), names), project.outputs());
        } else if (operator instanceof Operator.Filter filter) {
            return new Operator.Filter(reading(filter.input(), names), filter.condition());
        } else if (operator instanceof Operator.Over over) {
            return new Operator.Over(reading(over.input(), names), over.time(), over.calls());
        } else if (operator instanceof Operator.Aggregate aggregate) {
            return new Operator.Aggregate(
                    reading(aggregate.input(), names),
                    aggregate.window(),
                    aggregate.keys(),
                    aggregate.folds(),
                    aggregate.wholeBy());
        }
        return reading((Operator.Scan) operator, names);
    }

    private static Operator.Scan reading(Operator.Scan scan, Map<String, String> names) {
        if (!scan.type().isOfQuery()) {
            return scan;
        }
        return new Operator.Scan(
                StreamType.ofQuery(names.getOrDefault(scan.stream(), scan.stream())),
                scan.columns(),
                scan.time(),
                scan.reads(),
                scan.isTable(),
                scan.of().map(several -> several.over(names)));
    }
}
