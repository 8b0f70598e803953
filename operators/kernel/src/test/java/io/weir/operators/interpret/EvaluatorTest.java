package io.weir.operators.interpret;

import static io.weir.operators.graph.Functions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the oracle's own rules against SQL's truth tables. */
class EvaluatorTest {
    private static final Expr TRUE = Literal.of(true);
    private static final Expr FALSE = Literal.of(false);
    private static final Expr UNKNOWN = Literal.nullOf(Kind.BOOLEAN);

    private static Object value(Expr expr) {
        return Evaluator.evaluate(expr, v -> null);
    }

    @Test
    void logicHasThreeValues() {
        assertEquals(false, value(call("AND", UNKNOWN, FALSE)));
        assertNull(value(call("AND", UNKNOWN, TRUE)));
        assertEquals(true, value(call("OR", UNKNOWN, TRUE)));
        assertNull(value(call("OR", UNKNOWN, FALSE)));
        assertNull(value(call("NOT", UNKNOWN)));
        assertEquals(true, value(call("IS NULL", UNKNOWN)));
    }

    @Test
    void divisionByZeroIsNull() {
        assertNull(value(call("/", Literal.of(1L), Literal.of(0L))));
        assertNull(value(call("/", Literal.of(1.0), Literal.of(0.0))));
        assertEquals(2L, value(call("/", Literal.of(7L), Literal.of(3L))));
    }

    @Test
    void caseTakesTheFirstTrueBranch() {
        List<Expr> parts =
                List.of(UNKNOWN, Literal.of(1L), TRUE, Literal.of(2L), Literal.nullOf(Kind.BIGINT));
        assertEquals(2L, value(Functions.call(Functions.CASE, parts)));
    }
}
