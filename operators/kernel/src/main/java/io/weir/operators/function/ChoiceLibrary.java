package io.weir.operators.function;

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
                        .syntax(MOST_COMPARED - 1, X)
                        .gives(COMMON)
                        .example("GREATEST(bytes, 100)", "100")
                        .build(),
                FunctionBuilder.of("LEAST")
                        .form("LEAST(x, y, …)", "NULL when one is")
                        .syntax(MOST_COMPARED - 1, X)
                        .gives(COMMON)
                        .example("LEAST(bytes, 100)", "60")
                        .build(),
                FunctionBuilder.of("COALESCE")
                        .form("COALESCE(x, y, …)", "the first that is not NULL")
                        .syntax(Integer.MAX_VALUE - 1, X)
                        .gives(COMMON)
                        .nulls("when all arguments are")
                        .example("COALESCE(NULLIF(bytes, 60), 0)", "0")
                        .build(),
                FunctionBuilder.of("NULLIF")
                        .form("NULLIF(x, y)", "NULL where x = y, else x")
                        .syntax(0, X, Parameter.any("y"))
                        .gives("the kind of x")
                        .nulls("when x is; where x = y")
                        .example("NULLIF(bytes, 60)", "NULL")
                        .build(),
                FunctionBuilder.of("CAST")
                        .form("CAST(x AS type)", "BIGINT, DOUBLE; strings: INET, MACADDR")
                        .syntax(0, X, Parameter.any("type"))
                        .gives("the type")
                        .example("CAST(2.9 AS BIGINT)", "2")
                        .build());
    }
}
