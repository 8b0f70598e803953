package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry is a GPV, or those of its packets that fall in the pane. Update reads them again, and
 * updates the state in place, packet by packet: for folds that depend on their order, and for
 * sketches.
 */
final class InPlaceShape implements AggregateCode.Shape {
    /** So many GPVs are still in the nearest cache when they are read again. */
    private static final int BATCH = 64;

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
            code.groups.keep(code.batch, code.groupKey());
        }
        code.batch.atMost(BATCH);
        Block each = code.each;
        each.line("long gpv = " + code.batch.keep("gpv") + ";");
        each.line("long from = " + code.batch.keep("from") + ";");
        each.line("long to = " + code.batch.keep("to") + ";");
        GpvInput again = input.again(() -> code.batch.keep("node"));
        each.add(again.top()).add(again.outer());
        Expressions expressions = code.expressions.over(again, again.outer(), again.inner());
        boolean filters = !packetFilters.isEmpty();
        // The words of the state are locals while the packets are read.
        Block locals = each.part();
        if (!filters) {
            find(each, input.tuples("from", "to"));
        } else if (code.state.hasKeys()) {
            each.line("long slot = 0L;");
        }
        Block loads = each.part();
        // What is the same for all packets of a GPV, and is no different for being done once.
        Block once = each.part();
        again.loop(each, "from", "to").add(again.inner());
        Block stores = each.part();
        AggregateCode.skipUnless(packetFilters, expressions, again.inner());
        if (filters) {
            // The group is sought when the first packet has passed: there may be none.
            Block first = again.inner().part();
            if (code.state.hasKeys()) {
                first = first.braces("if (slot == 0L)");
                find(first, "1L");
                loads = first.part();
                stores = stores.braces("if (slot != 0L)");
            }
        }
        folds(again, expressions, filters ? again.inner() : once, new Held(locals, loads, stores));
        code.collect(code.after, Body.Entries.GPV);
    }

    /** Where words of the state become locals, get their values, and give them back. */
    private record Held(Block locals, Block loads, Block stores) {}

    /** Finds the group; it was declared before where it is for a packet. */
    private void find(Block block, String packets) {
        if (code.state.hasKeys()) {
            String declaration = packets.equals("1L") ? "" : "long ";
            block.line(declaration + "slot = " + code.groups.findSought() + ";");
        }
        block.braces("if (slot == 0L)").line(AggregateCode.full(packets)).line("continue;");
    }

    /** A fold's words in locals; those of a sketch stay where they are. */
    private FoldCode.Words held(FoldUse use, Held held) {
        FoldCode.Words words = code.words(use);
        if (SketchFolds.isOne(use.fold())) {
            return words;
        }
        List<String> locals = new ArrayList<>();
        for (int w = 0; w < use.fold().state().size(); w++) {
            Fold.StateWord word = use.fold().state().get(w);
            String local = code.names.fresh(word.name() + use.index());
            Value zero = Value.nullOf(word.kind());
            held.locals.line(zero.javaType() + " " + local + " = " + zero.code() + ";");
            held.loads.line(local + " = " + Text.unwrap(words.load(w)) + ";");
            words.store(held.stores, w, local);
            locals.add(local);
        }
        return FoldCode.locals(locals);
    }

    private void folds(GpvInput again, Expressions expressions, Block once, Held held) {
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
                        held(use, held),
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
