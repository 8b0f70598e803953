package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.ArrayList;
import java.util.List;

/** Generates keys as words. */
final class KeyCode {
    private final Plan plan;
    private final StateLayout state;
    private final int family;
    private final Expressions expressions;
    private final GatherCode gather;

    KeyCode(Plan plan, StateLayout state, int family, Expressions expressions, GatherCode gather) {
        this.plan = plan;
        this.state = state;
        this.family = family;
        this.expressions = expressions;
        this.gather = gather;
    }

    /** Returns the code of the same keys for another input. */
    KeyCode over(Expressions otherExpressions) {
        return new KeyCode(plan, state, family, otherExpressions, new GatherCode(null));
    }

    /** Returns the packed words of the group's key; none without keys. */
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
        return words(packing.parts(values), changes, "key");
    }

    /** Returns the key of a tuple of a COUNT(DISTINCT): the group's words, then the arguments'. */
    List<String> ofTuple(FoldUse use, List<String> groupKey) {
        int table = state.setTable(state.distinctFolds().indexOf(use.call()), family);
        List<List<Packing.Shifted>> own =
                state.arguments(use.call(), family).parts(use.arguments());
        boolean changes =
                use.hasPacketArguments()
                        || state.keyExprs().stream().anyMatch(expressions::isPerPacket);
        if (state.isJoined(table)) {
            List<Packing.Shifted> both = new ArrayList<>();
            both.add(new Packing.Shifted(groupKey.get(0), state.argumentBits(table)));
            both.addAll(own.get(0));
            return words(List.of(both), changes, "tuple");
        }
        List<String> key = new ArrayList<>(groupKey);
        key.addAll(words(own, changes, "tuple"));
        return key;
    }

    private List<String> words(List<List<Packing.Shifted>> words, boolean perPacket, String name) {
        List<String> codes = new ArrayList<>();
        for (List<Packing.Shifted> parts : words) {
            String code = expressions.simple(Packing.or(parts), perPacket, name);
            gather.word(code, parts);
            codes.add(code);
        }
        return codes;
    }
}
