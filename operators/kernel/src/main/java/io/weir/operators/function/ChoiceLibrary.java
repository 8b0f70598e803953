package io.weir.operators.function;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import java.util.ArrayList;
import java.util.List;

/** Functions that choose one of their arguments, and conversions. */
public final class ChoiceLibrary implements FunctionLibrary {
    private static final int MOST_COMPARED = 32;
    private static final Parameter X = Parameter.any("x");
    private static final String COMMON = "the kind that all can take";

    @Override
    public String topic() {
        return "Choices and conversions";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("GREATEST")
                        .form("GREATEST(x, y, …)", "NULL when one is")
                        .form(MOST_COMPARED - 1, terms -> extreme(terms, ">="), X)
                        .gives(COMMON)
                        .example("GREATEST(bytes, 100)", "100")
                        .build(),
                FunctionBuilder.of("LEAST")
                        .form("LEAST(x, y, …)", "NULL when one is")
                        .form(MOST_COMPARED - 1, terms -> extreme(terms, "<="), X)
                        .gives(COMMON)
                        .example("LEAST(bytes, 100)", "60")
                        .build(),
                FunctionBuilder.of("COALESCE")
                        .form("COALESCE(x, y, …)", "the first that is not NULL")
                        .form(Integer.MAX_VALUE - 1, ChoiceLibrary::coalesce, X)
                        .gives(COMMON)
                        .nulls("when all arguments are")
                        .example("COALESCE(NULLIF(bytes, 60), 0)", "0")
                        .build(),
                FunctionBuilder.of("NULLIF")
                        .form("NULLIF(x, y)", "NULL where x = y, else x")
                        .form(0, ChoiceLibrary::nullIf, X, Parameter.any("y"))
                        .gives("the kind of x")
                        .nulls("when x is; where x = y")
                        .example("NULLIF(bytes, 60)", "NULL")
                        .build(),
                FunctionBuilder.of("CAST")
                        .form("CAST(x AS type)", "BIGINT, DOUBLE; strings: INET, MACADDR")
                        .of(0, new Meaning.Syntax(), X, Parameter.any("type"))
                        .gives("the type")
                        .example("CAST(2.9 AS BIGINT)", "2")
                        .build());
    }

    private static Expr coalesce(Terms terms) {
        List<Expr> values = terms.alike();
        List<Expr> parts = new ArrayList<>();
        for (Expr value : values.subList(0, values.size() - 1)) {
            if (!value.type().nullable()) {
                parts.add(value); // later values are never reached
                break;
            }
            parts.add(terms.call(Functions.NOT, List.of(isNull(terms, value))));
            parts.add(value);
        }
        if (parts.size() % 2 == 0) {
            parts.add(values.get(values.size() - 1));
        }
        return parts.size() == 1 ? parts.get(0) : terms.call(Functions.CASE, parts);
    }

    private static Expr nullIf(Terms terms) {
        Expr value = terms.arguments().get(0);
        Expr equal = terms.operator("=", value, terms.arguments().get(1));
        Expr none = Literal.nullOf(value.type().kind());
        return terms.call(Functions.CASE, List.of(equal, none, value));
    }

    /** GREATEST compares by &gt;=, and LEAST by &lt;=. It is NULL when any value is. */
    private static Expr extreme(Terms terms, String operator) {
        List<Expr> values = terms.alike();
        Expr best = best(terms, operator, values);
        List<Expr> absent =
                values.stream()
                        .filter(v -> v.type().nullable())
                        .map(v -> isNull(terms, v))
                        .toList();
        if (absent.isEmpty()) {
            return best;
        }
        Expr anyNull = absent.size() == 1 ? absent.get(0) : terms.call(Functions.OR, absent);
        Expr none = Literal.nullOf(best.type().kind());
        return terms.call(Functions.CASE, List.of(anyNull, none, best));
    }

    /** It works by halves. Each round uses a value twice, so the total is at most quadratic. */
    private static Expr best(Terms terms, String operator, List<Expr> values) {
        if (values.size() == 1) {
            return values.get(0);
        }
        int half = (values.size() + 1) / 2;
        Expr left = best(terms, operator, values.subList(0, half));
        Expr right = best(terms, operator, values.subList(half, values.size()));
        Expr better = terms.operator(operator, left, right);
        return terms.call(Functions.CASE, List.of(better, left, right));
    }

    private static Expr isNull(Terms terms, Expr value) {
        return terms.call(Functions.IS_NULL, List.of(value));
    }
}
