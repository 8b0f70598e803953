package io.weir.operators.kernel.code;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import java.util.List;

/**
 * The aggregation by keys of packets with few bits. The table is an array that stays in the cache,
 * so a batch has no cache misses to hide. The batch still helps: {@code update} goes through the
 * packets of many GPVs in one loop.
 */
final class DirectCode extends BatchedCode {
    private final Plan plan;
    private final StateLayout state;
    private final boolean large;
    private final Names names;
    private final ShortTuples tuples;
    private final Expressions expressions;
    private final KeyCode keys;
    private final TableCode groups;
    private final Block copies = new Block();
    private final Block nothing = new Block();

    DirectCode(
            Plan plan,
            StateLayout state,
            GpvLayout layout,
            GpvInput input,
            Names names,
            Expressions ofGpvs) {
        this.plan = plan;
        this.state = state;
        this.names = names;
        large = GpvLoop.isLarge(layout);
        tuples = new ShortTuples(layout, input, names);
        expressions = ofGpvs.over(tuples, tuples.each(), tuples.each());
        keys = new KeyCode(plan, state, layout.family(), expressions, input.gather());
        int number = state.groupTable(layout.family());
        groups = new TableCode("groups", number, state.table(number));
    }

    @Override
    public void write(List<Expr> packetFilters) {
        Block each = tuples.each();
        AggregateCode.skipUnless(packetFilters, expressions, each);
        String key = keys.ofGroup().get(0);
        Block find = each.part();
        groups.mark(each);
        for (int f = 0; f < plan.folds().size(); f++) {
            update(new FoldUse(f, plan.folds().get(f), expressions), each);
        }
        find(key, find);
        tuples.copy(copies);
        batch.fit(tuples.entryBytes());
        copies.line("entry += count * " + tuples.entryBytes() + ";");
    }

    private void find(String key, Block block) {
        block.line("long slot;");
        block.braces("if (" + TableCode.hasSlot(key) + ")")
                .line("slot = " + groups.at(key, tuples) + ";");
        Block away = block.braces("else").line("slot = " + groups.findAlone(List.of(key)) + ";");
        groups.place(away);
        away.braces("if (slot == 0L)").line(AggregateCode.full("1L")).line("continue;");
    }

    private void update(FoldUse use, Block each) {
        Block block = AggregateCode.when(use.condition(), each);
        int first = state.firstWord(use.index());
        FoldCode.assign(
                use.fold(),
                use.fold().update(),
                FoldCode.entry(use.fold(), groups, first, names, () -> false, (more, word) -> {}),
                use::argument,
                expressions,
                block,
                names);
    }

    @Override
    public Entries entries() {
        return Entries.PACKET;
    }

    @Override
    public int most() {
        return ShortTuples.STEP;
    }

    @Override
    public String lacks(String more) {
        return batch.lacks(Integer.toString(ShortTuples.STEP));
    }

    /** While the packets of few large GPVs are counted, the next GPVs are prefetched. */
    @Override
    public void ahead(Block block, boolean lines) {
        if (large) {
            flush(block);
        }
    }

    @Override
    void methods(Block members) {
        members.line("");
        Block method = members.braces("public void update(Panes panes, Tables pane)");
        expressions.declareTables(method);
        method.line("Batch batch = pane.batch();").line("int n = batch.take();");
        groups.declare(method, "pane");
        groups.declarePlace(method);
        method.line("long full = 0L;").line("int i = 0;");
        method.braces(batch.loop("n")).add(tuples.each());
        method.line("panes.count(0L, 0L, full);");
    }

    @Override
    public Block before() {
        return nothing;
    }

    @Override
    public Block after() {
        return copies;
    }

    @Override
    public boolean loops() {
        return false;
    }

    @Override
    public boolean readsTuples() {
        return true;
    }
}
