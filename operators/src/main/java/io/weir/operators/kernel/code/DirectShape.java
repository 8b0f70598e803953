package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;

/**
 * Nothing is collected: each packet updates its group at once. For keys so few that their table
 * stays in the cache, where there is no miss that a batch could hide.
 */
final class DirectShape implements AggregateCode.Shape {
    private final AggregateCode code;

    DirectShape(AggregateCode code) {
        this.code = code;
    }

    @Override
    public void write(List<Expr> packetFilters) {
        code.loop();
        Block inner = code.input.inner();
        AggregateCode.skipUnless(packetFilters, code.expressions, inner);
        List<String> key = code.groupKey();
        List<FoldUse> uses = code.uses(key);
        inner.line("long slot = " + code.groups.findAlone(key) + ";");
        inner.braces("if (slot == 0L)").line(AggregateCode.full("1L")).line("continue;");
        for (FoldUse use : uses) {
            Block block = AggregateCode.when(use.condition(), inner);
            FoldCode.assign(
                    use.fold(),
                    use.fold().update(),
                    code.words(use),
                    use::argument,
                    code.expressions.in(block),
                    block,
                    code.names);
        }
    }
}
