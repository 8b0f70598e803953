package io.weir.operators.function;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.OverFunction;
import io.weir.operators.graph.Type;
import java.util.List;

/** Functions that need OVER: places of a row among others, and values of other rows. */
public final class OverLibrary implements FunctionLibrary {
    /** The most rows between a row and another that it reads. */
    public static final long MOST_ROWS = 10_000;

    private static final int MOST_KEYS = 4;
    private static final Parameter KEY = Parameter.any("key");
    private static final Parameter SPAN =
            Parameter.constant(
                    "interval",
                    new Literal(1_000_000_000L, Type.INTERVAL),
                    "NEW looks back for an interval above 0",
                    v -> v instanceof Long ns && ns > 0);
    private static final Meaning NEW = new Meaning.Over(OverFunction.NEW_SINCE);
    private static final String GROUPED = "GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), bytes";

    @Override
    public String topic() {
        return "Over several rows";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                rank("ROW_NUMBER", "its place: 1, 2, 3, …", OverFunction.ROW_NUMBER),
                rank("RANK", "its place; equal rows share one: 1, 1, 3", OverFunction.RANK),
                rank("DENSE_RANK", "the same without gaps: 1, 1, 2", OverFunction.DENSE_RANK),
                shift("LAG", "the row before", OverFunction.LAG, "NULL"),
                shift("LEAD", "the next row of its window", OverFunction.LEAD, "1500"),
                end("FIRST_VALUE", "first", OverFunction.FIRST_VALUE, "60"),
                end("LAST_VALUE", "last", OverFunction.LAST_VALUE, "60"),
                FunctionBuilder.of("NEW", Role.OVER)
                        .form("NEW(key, …, interval)", "no row of the key for so long before")
                        .of(0, NEW, KEY, SPAN)
                        .of(0, NEW, KEY, KEY, SPAN)
                        .of(0, NEW, KEY, KEY, KEY, SPAN)
                        .of(0, NEW, KEY, KEY, KEY, KEY, SPAN)
                        .gives(Kind.BOOLEAN)
                        .nulls("never")
                        .example("NEW(bytes, INTERVAL '1' HOUR)", GROUPED, "true")
                        .build(),
                FunctionBuilder.of("NEW_SINCE", Role.OVER)
                        .form("NEW_SINCE(key, …)", "from when on NEW knows all such keys")
                        .of(MOST_KEYS - 1, NEW, KEY)
                        .gives(Kind.TIMESTAMP)
                        .nulls("never")
                        .example("NEW_SINCE(bytes)", GROUPED, "2026-11-20 13:45:01")
                        .build());
    }

    private static FunctionDef rank(String name, String about, OverFunction function) {
        return FunctionBuilder.of(name, Role.OVER)
                .form(name + "() OVER (…)", about)
                .of(0, new Meaning.Over(function))
                .gives(Kind.BIGINT)
                .nulls("never")
                .example(name + "() OVER (ORDER BY bytes)", GROUPED, "1")
                .build();
    }

    private static FunctionDef shift(String name, String of, OverFunction function, String first) {
        Parameter x = Parameter.any("x");
        Parameter rows =
                Parameter.constant(
                        "rows",
                        Literal.of(1L),
                        "the distance is from 0 to " + MOST_ROWS + " rows",
                        v -> v instanceof Long n && n >= 0 && n <= MOST_ROWS);
        Meaning meaning = new Meaning.Over(function);
        return FunctionBuilder.of(name, Role.OVER)
                .form(name + "(x) OVER (…)", "x of " + of)
                .form(name + "(x, n, other) OVER (…)", "x of n rows away; other if there is none")
                .of(0, meaning, x)
                .of(0, meaning, x, rows)
                .of(0, meaning, x, rows, Parameter.any("default"))
                .gives("the kind of x")
                .nulls("when x is, or without such a row and a default")
                .example(name + "(bytes) OVER (ORDER BY bytes)", GROUPED, first)
                .build();
    }

    private static FunctionDef end(String name, String which, OverFunction function, String value) {
        return FunctionBuilder.of(name, Role.OVER)
                .form(name + "(x) OVER (…)", "x of the " + which + " row of the frame")
                .of(0, new Meaning.Over(function), Parameter.any("x"))
                .gives("the kind of x")
                .nulls("when x is, or the frame has no row")
                .example(name + "(bytes) OVER (ORDER BY bytes)", GROUPED, value)
                .build();
    }
}
