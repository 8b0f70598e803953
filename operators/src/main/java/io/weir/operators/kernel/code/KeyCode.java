package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.ArrayList;
import java.util.List;

/** Keys as words. */
final class KeyCode {
    private final Plan plan;
    private final StateLayout state;
    private final int family;
    private final Expressions expressions;

    KeyCode(Plan plan, StateLayout state, int family, Expressions expressions) {
        this.plan = plan;
        this.state = state;
        this.family = family;
        this.expressions = expressions;
    }

    /** The same keys out of another input. */
    KeyCode over(Expressions otherExpressions) {
        return new KeyCode(plan, state, family, otherExpressions);
    }

    /** Packed words of the group's key; none without keys. */
    List<String> ofGroup() {
        Packing packing = state.groupKeys(family);
        if (packing.words() == 0) {
            return List.of();
        }
        List<Expr> keys = state.keyExprs();
        List<Value> values = new ArrayList<>();
        boolean changes = false;
        for (int k = 0; k < keys.size(); k++) {
            values.add(expressions.simple(keys.get(k), plan.keys().get(k).name()));
            changes |= expressions.isPerPacket(keys.get(k));
        }
        return words(packing.pack(values), changes, "key");
    }

    /** The key of a tuple of a COUNT(DISTINCT): the group's words, then the arguments'. */
    List<String> ofTuple(FoldUse use, List<String> groupKey) {
        int table = state.setTable(state.distinctFolds().indexOf(use.call()), family);
        List<String> own = state.arguments(use.call(), family).pack(use.arguments());
        boolean changes =
                use.hasPacketArguments()
                        || state.keyExprs().stream().anyMatch(expressions::isPerPacket);
        if (state.isJoined(table)) {
            String shifted = "(" + groupKey.get(0) + " << " + state.argumentBits(table) + ")";
            return words(List.of("(" + shifted + " | " + own.get(0) + ")"), changes, "tuple");
        }
        List<String> key = new ArrayList<>(groupKey);
        key.addAll(words(own, changes, "tuple"));
        return key;
    }

    private List<String> words(List<String> codes, boolean perPacket, String name) {
        return codes.stream().map(code -> expressions.simple(code, perPacket, name)).toList();
    }
}
