package io.weir.operators.function;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.List;
import java.util.Locale;

/** Bits of integers, of a row and of a group. */
public final class BitLibrary implements FunctionLibrary {
    private static final Parameter X = Parameter.of("x", Kind.BIGINT);
    private static final Parameter Y = Parameter.of("y", Kind.BIGINT);
    private static final Variable ARGUMENT = new Variable(Scope.ARGUMENT, "x", Type.BIGINT);
    private static final StateWord SEEN = new StateWord("seen", Kind.BIGINT, Literal.of(0L));

    @Override
    public String topic() {
        return "Bits";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                ofRow("BITAND(x, y)", "bits of both", "BITAND(tcp_flags, 18)", "2", X, Y),
                ofRow("BITOR(x, y)", "bits of either", "BITOR(tcp_flags, 16)", "18", X, Y),
                ofRow("BITXOR(x, y)", "bits of one only", "BITXOR(tcp_flags, 3)", "1", X, Y),
                ofRow("BITNOT(x)", "bits turned over", "BITNOT(0)", "-1", X),
                ofGroup("BIT_OR", "bitor", 0)
                        .form("BIT_OR(x)", "bits that some x has: all flags of a flow")
                        .distinct(Distinct.CHANGES_NOTHING)
                        .example("BIT_OR(tcp_flags)", "27")
                        .build(),
                ofGroup("BIT_AND", "bitand", -1)
                        .form("BIT_AND(x)", "bits that each x has")
                        .distinct(Distinct.CHANGES_NOTHING)
                        .example("BIT_AND(bytes)", "20")
                        .build(),
                ofGroup("BIT_XOR", "bitxor", 0)
                        .form("BIT_XOR(x)", "bits that an odd number of x have")
                        .example("BIT_XOR(bytes)", "8")
                        .build());
    }

    private static FunctionDef ofRow(
            String form, String about, String sql, String value, Parameter... parameters) {
        String name = form.substring(0, form.indexOf('('));
        return FunctionBuilder.of(name)
                .form(form, about)
                .calls(name.toLowerCase(Locale.ROOT), parameters)
                .gives(Kind.BIGINT)
                .example(sql, value)
                .build();
    }

    private static FunctionBuilder ofGroup(String name, String function, long none) {
        return FunctionBuilder.of(name, Role.AGGREGATE)
                .group((a, facts) -> new Folding(fold(name, function, none, facts.some(a)), a), X)
                .gives(Kind.BIGINT);
    }

    /** Makes a fold. If a group can be without any x, a word of its own shows that. */
    private static Fold fold(String name, String function, long none, boolean some) {
        StateWord bits = new StateWord("bits", Kind.BIGINT, Literal.of(none));
        Assignment update = combined(function, bits, ARGUMENT);
        Assignment merge = combined(function, bits, bits.other());
        if (some) {
            return new Fold(
                    name,
                    List.of(ARGUMENT),
                    List.of(bits),
                    List.of(update),
                    List.of(merge),
                    bits.mine(),
                    false);
        }
        Expr nothing = Functions.call("=", SEEN.mine(), Literal.of(0L));
        return new Fold(
                name,
                List.of(ARGUMENT),
                List.of(bits, SEEN),
                List.of(update, new Assignment(SEEN.name(), Literal.of(1L))),
                List.of(merge, combined("bitor", SEEN, SEEN.other())),
                Functions.call("CASE", nothing, Literal.nullOf(Kind.BIGINT), bits.mine()),
                false);
    }

    /**
     * Returns BIT_OR of a value that is never NULL.
     *
     * @param some whether each group has such a value
     */
    public static Fold or(boolean some) {
        return fold("BIT_OR", "bitor", 0, some);
    }

    private static Assignment combined(String function, StateWord word, Expr with) {
        return new Assignment(word.name(), Functions.call(function, word.mine(), with));
    }
}
