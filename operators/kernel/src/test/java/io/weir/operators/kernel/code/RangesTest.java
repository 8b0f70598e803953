package io.weir.operators.kernel.code;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Type;
import io.weir.operators.interpret.Evaluator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Words that are said to fit into four bytes, updated with what packets can have at most. */
class RangesTest {
    private static final Map<String, Integer> BITS =
            Map.of("tcp_seq", 32, "bytes", 32, "src_port", 16, "ip_ttl", 8);
    private static final List<String> OPERATORS = List.of("+", "-", "*", "/", "%", "bitand");
    private static final Expr.Variable ARGUMENT =
            new Expr.Variable(Scope.ARGUMENT, "x", Type.BIGINT);

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    @Test
    void whatFitsAlwaysFits() {
        int fitting = 0;
        for (int i = 0; i < 20_000; i++) {
            StateWord word = new StateWord("w", Kind.BIGINT, Literal.of(random.nextLong(-1, 9)));
            Expr next = expr(List.of(ARGUMENT, ARGUMENT, word.mine()), 2);
            Fold fold =
                    new Fold(
                            "F",
                            List.of(ARGUMENT),
                            List.of(word),
                            List.of(new Assignment("w", next)),
                            List.of(),
                            word.mine(),
                            true);
            Expr argument = expr(BITS.keySet().stream().sorted().map(this::column).toList(), 2);
            FoldCall call = new FoldCall("f", fold, List.of(argument), false, Optional.empty());
            if (new Ranges(call, word).fits()) {
                fitting++;
                update(word, next, argument);
            }
        }
        assertTrue(fitting > 500 && fitting < 15_000, "fit: " + fitting);
    }

    private void update(StateWord word, Expr next, Expr argument) {
        Map<String, Object> values = new HashMap<>();
        values.put("w", word.initial().value());
        for (int packet = 0; packet < 20; packet++) {
            BITS.forEach((name, bits) -> values.put(name, ofBits(bits)));
            Object x = Evaluator.evaluate(argument, v -> values.get(v.name()));
            if (x != null) {
                values.put("x", x);
                Object now = Evaluator.evaluate(next, v -> values.get(v.name()));
                String message = "seed " + seed + ": " + next + " of " + argument + " is " + now;
                assertTrue(now instanceof Long w && w >= 0 && w >>> 32 == 0, message);
                values.put("w", now);
            }
        }
    }

    private Expr.Variable column(String name) {
        return Expr.Variable.column(name, Type.BIGINT);
    }

    private long ofBits(int bits) {
        long most = (1L << bits) - 1;
        return random.nextBoolean() ? most - random.nextInt(2) : random.nextLong(most + 1);
    }

    private Expr expr(List<Expr.Variable> leaves, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return random.nextInt(4) == 0
                    ? Literal.of(literal())
                    : leaves.get(random.nextInt(leaves.size()));
        }
        Expr left = expr(leaves, depth - 1);
        Expr right = expr(leaves, depth - 1);
        if (random.nextInt(5) == 0) {
            return Functions.call("CASE", Functions.call("<", left, right), right, left);
        }
        return Functions.call(OPERATORS.get(random.nextInt(OPERATORS.size())), left, right);
    }

    private long literal() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(-2, 4);
            case 1 -> (1L << 32) + random.nextLong(-1, 2);
            case 2 -> (1L << 16) - 1;
            default -> Long.MAX_VALUE - random.nextInt(2);
        };
    }
}
