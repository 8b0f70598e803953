package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import java.util.List;

/** An entry is a packet, or a row. It has the key and the arguments of the folds. */
final class PacketShape implements AggregateCode.Shape {
    private final AggregateCode code;

    PacketShape(AggregateCode code) {
        this.code = code;
    }

    @Override
    public void write(List<Expr> packetFilters) {
        code.loop();
        Block inner = code.input.inner();
        AggregateCode.skipUnless(packetFilters, code.expressions, inner);
        List<String> key = code.groupKey();
        List<FoldUse> uses = code.uses(key);
        code.find(uses, key, "1L", null, Fold::update);
        for (FoldUse use : uses) {
            if (!use.call().distinct()) {
                update(use);
            }
        }
        if (code.input.isGrouped()) {
            code.collect(inner, Body.Entries.PACKET);
            if (packetFilters.isEmpty()) {
                code.gather.packets();
            }
        } else {
            code.collectAlone(inner);
        }
    }

    private void update(FoldUse use) {
        if (!use.condition().equals("true") && use.isCount() && code.hasFewWords()) {
            // The CPU cannot predict a condition that holds for some packets. To add 0 or 1 is as
            // cheap.
            String one = code.batch.keep(Text.choose(use.condition(), "1L", "0L"));
            code.wordsOfEach(use, true).add(code.each, 0, one);
            return;
        }
        String condition = code.batch.keepTruth(use.condition());
        Block block = AggregateCode.when(condition, code.each);
        FoldCode.assign(
                use.fold(),
                use.fold().update(),
                code.wordsOfEach(use, condition.equals("true")),
                argument -> code.batch.keep(use.argument(argument)),
                code.expressions,
                block,
                code.names);
    }
}
