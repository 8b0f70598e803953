package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An entry is a GPV, or its packets in the pane. Update reads the packets again and updates the
 * state in place, packet by packet. This is for folds that depend on the order, and for sketches.
 */
final class InPlaceShape implements AggregateCode.Shape {
    /** The GPVs of a batch. They are still in the nearest cache when they are read again. */
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
        Expressions expressions = over(again);
        if (packetFilters.isEmpty()) {
            find(each, block -> block.line(AggregateCode.full(input.tuples("from", "to"))));
        } else {
            skip(each, again.packets(), packetFilters);
        }
        // The words of the state are locals while the packets are read.
        Block loads = each.part();
        // The code for values that are the same for all packets of a GPV and may be computed once.
        Block once = each.part();
        again.loop(each, "from", "to").add(again.inner());
        AggregateCode.skipUnless(packetFilters, expressions, again.inner());
        folds(again, expressions, once, new Held(loads, each.part()));
        code.collect(code.after, Body.Entries.GPV);
    }

    private Expressions over(GpvInput again) {
        return code.expressions.over(again, again.outer(), again.inner());
    }

    /** Goes on to the first packet that passes. If there is none, no group is sought. */
    private void skip(Block each, GpvInput packets, List<Expr> packetFilters) {
        Expressions expressions = over(packets);
        String passes = Text.all(packetFilters.stream().map(expressions::truth).toList());
        String condition = "if (" + Text.unwrap(passes) + ")";
        loop(each, packets).braces(condition).line("break;");
        each.braces("if (from == to)").line("continue;");
        find(each, block -> loop(block, packets).braces(condition).line(AggregateCode.full("1L")));
    }

    private static Block loop(Block block, GpvInput packets) {
        return packets.rest(block).add(packets.inner()).part();
    }

    /** The places where words of the state are loaded into locals and stored again. */
    private record Held(Block loads, Block stores) {}

    /**
     * Finds the group.
     *
     * @param lost counts its packets if there is no memory for it
     */
    private void find(Block block, Consumer<Block> lost) {
        if (code.state.hasKeys()) {
            block.line("long slot = " + code.groups.findSought() + ";");
        } else {
            code.findAlone(block);
        }
        Block absent = block.braces("if (slot == 0L)");
        lost.accept(absent);
        absent.line("continue;");
    }

    /** Holds a fold's words in locals. The words of a sketch stay where they are. */
    private FoldCode.Words held(FoldUse use, Held held) {
        FoldCode.Words words = code.words(use);
        if (SketchFolds.isOne(use.fold())) {
            return words;
        }
        List<String> locals = new ArrayList<>();
        for (int w = 0; w < use.fold().state().size(); w++) {
            Fold.StateWord word = use.fold().state().get(w);
            String local = code.names.fresh(word.name() + use.index());
            String type = Value.of(word.kind(), "").javaType();
            held.loads.line(type + " " + local + " = " + Text.unwrap(words.load(w)) + ";");
            words.store(held.stores, w, local);
            locals.add(local);
        }
        return FoldCode.locals(locals);
    }

    private void folds(GpvInput again, Expressions expressions, Block once, Held held) {
        KeyCode keysAgain = keys.over(expressions);
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
                FoldCode.assign(
                        use.fold(),
                        use.fold().update(),
                        held(use, held),
                        use::argument,
                        expressions,
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
