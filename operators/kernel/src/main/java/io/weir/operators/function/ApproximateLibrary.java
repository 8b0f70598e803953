package io.weir.operators.function;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Kind;
import io.weir.operators.sketch.SketchFolds;
import java.util.List;

/** Approximate aggregates, by sketches. */
public final class ApproximateLibrary implements FunctionLibrary {
    private static final int MOST_ARGUMENTS = 8;
    private static final long LOWEST_PLACE = 512;

    private interface OfPlace {
        Fold fold(Kind kind, long place);
    }

    @Override
    public String topic() {
        return "Approximate aggregates";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("APPROX_COUNT_DISTINCT", Role.APPROXIMATE)
                        .form("APPROX_COUNT_DISTINCT(x, …)", "in 4 KB a group; error 1.6 %")
                        .group(
                                MOST_ARGUMENTS - 1,
                                (a, facts) ->
                                        new Folding(
                                                SketchFolds.distinct(),
                                                List.of(SketchFolds.hashOf(a))),
                                Parameter.any("x"))
                        .gives(Kind.BIGINT)
                        .nulls("when memory for the sketch was refused")
                        .example("APPROX_COUNT_DISTINCT(bytes)", "3")
                        .build(),
                quantile(),
                place("APPROX_TOP", SketchFolds::top)
                        .form("APPROX_TOP(x, n)", "the n-th most frequent x")
                        .gives("the kind of x")
                        .example("APPROX_TOP(bytes, 1)", "1500")
                        .build(),
                place("APPROX_TOP_COUNT", SketchFolds::topCount)
                        .form("APPROX_TOP_COUNT(x, n)", "how often that x came")
                        .gives(Kind.BIGINT)
                        .example("APPROX_TOP_COUNT(bytes, 1)", "2")
                        .build());
    }

    private static FunctionDef quantile() {
        Parameter x = Parameter.of("x", Kind.DOUBLE);
        for (Kind kind : Kind.values()) {
            x = x.hinting(kind, "it takes numbers; NANOSECONDS(x) is one");
        }
        Parameter rank =
                Parameter.constant(
                        "rank",
                        Literal.of(0.5),
                        "the rank is a constant from 0 to 1",
                        v -> v instanceof Double r && r >= 0 && r <= 1);
        return FunctionBuilder.of("APPROX_QUANTILE", Role.APPROXIMATE)
                .form("APPROX_QUANTILE(x, rank)", "the x at that rank, from 0 to 1")
                .group((a, facts) -> quantile(a), x, rank)
                .gives(Kind.DOUBLE)
                .example("APPROX_QUANTILE(bytes, 0)", "52.0")
                .build();
    }

    private static Folding quantile(List<Expr> arguments) {
        double rank = (Double) ((Literal) arguments.get(1)).value();
        return new Folding(SketchFolds.quantile(rank), arguments.subList(0, 1));
    }

    private static FunctionBuilder place(String name, OfPlace fold) {
        Parameter x =
                Parameter.of(
                        "x",
                        Kind.BIGINT,
                        Kind.BOOLEAN,
                        Kind.TIMESTAMP,
                        Kind.INTERVAL,
                        Kind.INET,
                        Kind.MACADDR,
                        Kind.VARCHAR);
        Parameter n =
                Parameter.constant(
                        "n",
                        Literal.of(1L),
                        "n is a constant from 1 to " + LOWEST_PLACE,
                        v -> v instanceof Long place && place >= 1 && place <= LOWEST_PLACE);
        return FunctionBuilder.of(name, Role.APPROXIMATE)
                .group((a, facts) -> place(a, fold), x, n)
                .nulls("when there are fewer values");
    }

    private static Folding place(List<Expr> arguments, OfPlace fold) {
        long place = (Long) ((Literal) arguments.get(1)).value();
        Kind kind = arguments.get(0).type().kind();
        return new Folding(fold.fold(kind, place), arguments.subList(0, 1));
    }
}
