package io.weir.operators.function;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import java.util.List;
import java.util.Optional;

/** Counts, sums, means and extremes. */
public final class AggregateLibrary implements FunctionLibrary {
    private static final int MOST_COUNTED = 8;
    private static final String ADDRESSES =
            "COUNT(DISTINCT x) is, and an address can be a group column";
    private static final String CONDITIONS =
            "COUNT(*) FILTER (WHERE …) counts the rows for which it is true";
    private static final String NUMBERS = "it takes numbers";

    @Override
    public String topic() {
        return "Aggregates";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("COUNT", Role.AGGREGATE)
                        .form("COUNT(*)", "rows")
                        .form("COUNT(x, …)", "rows in which none is NULL")
                        .form("COUNT(DISTINCT x, …)", "different values, or tuples")
                        .rows(AggregateLibrary::count)
                        .group(MOST_COUNTED - 1, AggregateLibrary::count, Parameter.any("x"))
                        .distinct(Distinct.TAKEN)
                        .gives(Kind.BIGINT)
                        .nulls("never")
                        .example("COUNT(*)", "4")
                        .example("COUNT(DISTINCT bytes)", "3")
                        .build(),
                FunctionBuilder.of("SUM", Role.AGGREGATE)
                        .form("SUM(x)", "NULL beyond 64 bits, and of nothing")
                        .group(
                                AggregateLibrary::sum,
                                summed(Kind.BIGINT, Kind.DOUBLE, Kind.INTERVAL))
                        .gives("the kind of x")
                        .nulls("when no row has a value; when an integer leaves 64 bits")
                        .example("SUM(bytes)", "3112")
                        .build(),
                FunctionBuilder.of("AVG", Role.AGGREGATE)
                        .form("AVG(x)", "DOUBLE; NULL of nothing")
                        .group(
                                (a, facts) -> new Folding(mean(a.get(0), facts), a),
                                summed(Kind.BIGINT, Kind.DOUBLE)
                                        .hinting(Kind.INTERVAL, "AVG(NANOSECONDS(x)) is"))
                        .gives(Kind.DOUBLE)
                        .example("AVG(bytes)", "778.0")
                        .build(),
                FunctionBuilder.of("MIN", Role.AGGREGATE)
                        .form("MIN(x)", "numbers, times, intervals, MAC addresses")
                        .group((a, facts) -> new Folding(Folds.min(a.get(0).type().kind()), a), x())
                        .gives("the kind of x")
                        .distinct(Distinct.CHANGES_NOTHING)
                        .example("MIN(bytes)", "52")
                        .build(),
                FunctionBuilder.of("MAX", Role.AGGREGATE)
                        .form("MAX(x)", "numbers, times, intervals, MAC addresses")
                        .group((a, facts) -> new Folding(Folds.max(a.get(0).type().kind()), a), x())
                        .gives("the kind of x")
                        .distinct(Distinct.CHANGES_NOTHING)
                        .example("MAX(bytes)", "1500")
                        .build());
    }

    /** Different tuples need each column. Otherwise only a NULL matters. */
    private static Folding count(List<Expr> arguments, Facts facts) {
        List<Expr> counted =
                arguments.stream().filter(a -> facts.distinct() || a.type().nullable()).toList();
        Kind[] kinds = counted.stream().map(a -> a.type().kind()).toArray(Kind[]::new);
        return new Folding(Folds.count(kinds), counted);
    }

    /** A sum is NULL if a value is beyond 64 bits. Other aggregates pass over that value. */
    private static Folding sum(List<Expr> arguments, Facts facts) {
        Expr argument = facts.magnitude().plain(arguments.get(0));
        Kind kind = argument.type().kind();
        Optional<Expr> wrapped = facts.magnitude().wrapped(argument);
        List<Expr> summed = List.of(argument);
        if (wrapped.isPresent()) {
            return new Folding(Folds.sumOfWrapping(kind), List.of(argument, wrapped.get()));
        } else if (kind != Kind.DOUBLE && !facts.magnitude().sumFits(argument)) {
            return new Folding(Folds.sumOfWide(kind), summed);
        }
        boolean some = facts.some(summed);
        return new Folding(some ? Folds.sumOfSome(kind) : Folds.sum(kind), summed);
    }

    /** The sum of a column of packets fits 64 bits. Other sums may not. */
    private static Fold mean(Expr argument, Facts facts) {
        Kind kind = argument.type().kind();
        boolean narrow = argument instanceof Expr.Variable && facts.magnitude().sumFits(argument);
        return kind == Kind.BIGINT && !narrow ? Folds.avgOfWide() : Folds.avg(kind);
    }

    private static Parameter summed(Kind... kinds) {
        return Parameter.of("x", kinds)
                .hinting(Kind.BOOLEAN, CONDITIONS)
                .hinting(Kind.INET, ADDRESSES)
                .hinting(Kind.TIMESTAMP, NUMBERS)
                .hinting(Kind.MACADDR, NUMBERS)
                .hinting(Kind.VARCHAR, NUMBERS);
    }

    private static Parameter x() {
        return Parameter.of(
                        "x", Kind.BIGINT, Kind.DOUBLE, Kind.TIMESTAMP, Kind.INTERVAL, Kind.MACADDR)
                .hinting(Kind.BOOLEAN, CONDITIONS)
                .hinting(Kind.INET, ADDRESSES);
    }
}
