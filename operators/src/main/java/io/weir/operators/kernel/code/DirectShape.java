package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import java.util.List;

/**
 * Nothing is collected: each packet updates its group at once. For keys so few that their table, an
 * array, stays in the cache, where there is no miss that a batch could hide. The loop over whole
 * GPVs holds no call: a key without a slot is left to the one over parts of them.
 */
final class DirectShape implements AggregateCode.Shape {
    private final AggregateCode code;
    private final GpvInput input;
    private final Block whole = new Block();
    private final Block part = new Block();
    private Block leftOver;

    DirectShape(AggregateCode code, GpvInput input) {
        this.code = code;
        this.input = input;
    }

    @Override
    public void write(List<Expr> packetFilters) {
        code.loop();
        AggregateCode.skipUnless(packetFilters, code.expressions, code.input.inner());
        List<String> key = code.groupKey();
        List<FoldUse> uses = code.uses(key);
        leftOver = whole.braces("if (" + TableCode.lacks(key.get(0)) + ")");
        whole.line("long slot = " + code.groups.at(key.get(0), input) + ";");
        part.line("long slot = " + code.groups.findAlone(key) + ";");
        part.braces("if (slot == 0L)").line(AggregateCode.full("1L")).line("continue;");
        Block update = new Block();
        code.groups.mark(update);
        uses.forEach(use -> update(use, update));
        whole.add(update);
        part.add(update);
    }

    private void update(FoldUse use, Block into) {
        Block block = AggregateCode.when(use.condition(), into);
        FoldCode.assign(
                use.fold(),
                use.fold().update(),
                code.words(use),
                use::argument,
                code.expressions.in(block),
                block,
                code.names);
    }

    /** What is done at a key without a slot, in a GPV that is taken as a whole. */
    Block leftOver() {
        return leftOver;
    }

    /** What is done for each packet. */
    Block each(boolean ofWhole) {
        return ofWhole ? whole : part;
    }
}
