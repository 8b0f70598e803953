package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.sketch.SketchFolds;
import java.util.List;

/**
 * An entry is a GPV, or those of its packets that fall in the pane. Update reads them again, and
 * updates the state in place, packet by packet: for folds that depend on their order, and for
 * sketches.
 */
final class InPlaceShape implements AggregateCode.Shape {
    private final AggregateCode code;
    private final GpvInput input;
    private final KeyCode keys;

    InPlaceShape(AggregateCode code, GpvInput input, KeyCode keys) {
        this.code = code;
        this.input = input;
        this.keys = keys;
    }

    @Override
    public void write(List<Expr> packetFilters) {
        if (code.state.hasKeys()) {
            code.groups.keep(code.batch, "key", code.groupKey());
        }
        Block each = code.each;
        each.line("long gpv = " + code.batch.keep("gpv", "gpv") + ";");
        each.line("int from = (int) " + code.batch.keep("from", input.from()) + ";");
        each.line("int to = (int) " + code.batch.keep("to", input.to()) + ";");
        GpvInput again = input.again(() -> code.batch.keep("node", "node"));
        each.add(again.top()).add(again.outer());
        if (packetFilters.isEmpty()) {
            find(each, "to - from");
        }
        // What is the same for all packets of a GPV, and is no different for being done once.
        Block once = each.part();
        Block packets = each.braces("for (int p = from; p < to; p++)");
        packets.line("long tuple = " + again.tuple("p") + ";").add(again.inner());
        Expressions expressions = code.expressions.over(again, again.outer(), again.inner());
        for (Expr filter : packetFilters) {
            AggregateCode.skipUnless(expressions.truth(filter), again.inner());
        }
        if (!packetFilters.isEmpty()) {
            find(again.inner(), "1L");
        }
        folds(again, expressions, packetFilters.isEmpty() ? once : again.inner());
        code.batch.collect(code.after);
    }

    private void find(Block block, String packets) {
        if (code.state.hasKeys()) {
            block.line("long slot = " + code.groups.find() + ";");
        }
        block.braces("if (slot == 0L)").line(AggregateCode.full(packets)).line("continue;");
    }

    private void folds(GpvInput again, Expressions expressions, Block once) {
        KeyCode keysAgain = keys.over(again, expressions);
        Block inner = again.inner();
        if (!code.sets.isEmpty()) {
            inner.line("boolean lost = false;");
        }
        for (int f = 0; f < code.plan.folds().size(); f++) {
            FoldUse use = new FoldUse(f, code.plan.folds().get(f), expressions);
            String condition = use.condition();
            if (use.call().distinct()) {
                List<String> key = keysAgain.ofTuple(use, keysAgain.ofGroup());
                insert(use, key, AggregateCode.when(condition, inner));
            } else {
                boolean repeats = use.isPerPacket() || !SketchFolds.isIdempotent(use.fold());
                Block block = AggregateCode.when(condition, repeats ? inner : once);
                Expressions places = expressions.in(block);
                FoldCode.assign(
                        use.fold(),
                        use.fold().update(),
                        code.words(use),
                        use::argument,
                        places,
                        block,
                        code.names);
            }
        }
        if (!code.sets.isEmpty()) {
            inner.braces("if (lost)").line("full++;");
        }
    }

    private void insert(FoldUse use, List<String> key, Block block) {
        TableCode set = code.set(use);
        String found = set.findAlone(block, code.batch, key);
        block.braces("if (" + found + " == 0L)").line("lost = true;");
        code.count(use, block.braces("else if (" + set.name() + ".inserted())"));
    }
}
