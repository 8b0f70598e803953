package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.ArrayList;
import java.util.List;

/**
 * The aggregation of a kernel, in one of two shapes. Once a GPV: fold its packets in locals, probe
 * the table once, merge once. Once a packet, where keys or folds ask for it: probe and update for
 * each.
 */
final class AggregateCode implements Body {
    private final Plan plan;
    private final StateLayout state;
    private final int family;
    private final Input input;
    private final Names names;
    private final Expressions expressions;
    private final TableCode groups;
    private final List<TableCode> sets = new ArrayList<>();
    private final List<FoldUse> folds = new ArrayList<>();

    /** Lines before and after the packet loop. */
    private final Block before = new Block();

    private final Block after = new Block();
    private boolean loops;

    AggregateCode(
            Plan plan,
            StateLayout state,
            int family,
            Input input,
            Names names,
            Expressions expressions) {
        this.plan = plan;
        this.state = state;
        this.family = family;
        this.input = input;
        this.names = names;
        this.expressions = expressions;
        groups = table("groups", state.groupTable(family));
        for (int d = 0; d < state.distinctFoldCount(); d++) {
            sets.add(table("seen" + d, state.setTable(d, family)));
        }
    }

    private TableCode table(String name, int number) {
        return new TableCode(name, number, state.table(number).keyWords());
    }

    @Override
    public void declare(Block method) {
        groups.declare(method);
        if (!state.hasKeys()) {
            method.line("long slot = 0L;");
        }
        sets.forEach(set -> set.declare(method));
    }

    @Override
    public void select(Block block) {
        groups.select(block);
        if (!state.hasKeys()) {
            block.line("slot = 0L;");
        }
        sets.forEach(set -> set.select(block));
    }

    @Override
    public Block before() {
        return before;
    }

    @Override
    public Block after() {
        return after;
    }

    @Override
    public boolean loops() {
        return loops;
    }

    @Override
    public void write(List<Expr> packetFilters) {
        boolean packetKeys = state.keyExprs().stream().anyMatch(expressions::isPerPacket);
        boolean inPlace = plan.folds().stream().anyMatch(Plan::needsFlowKey);
        boolean packetSets = state.distinctFolds().stream().anyMatch(this::isPerPacket);
        boolean filters = !packetFilters.isEmpty();
        filter(packetFilters);
        if (!input.isGrouped() || packetKeys || inPlace || filters && packetSets) {
            perPacket(!packetKeys && !filters && input.isGrouped());
        } else {
            new PerGpv(filters, packetSets).write();
        }
    }

    private boolean isPerPacket(FoldCall call) {
        return call.arguments().stream().anyMatch(expressions::isPerPacket)
                || call.filter().filter(expressions::isPerPacket).isPresent();
    }

    private void filter(List<Expr> packetFilters) {
        for (Expr filter : packetFilters) {
            skipUnless(expressions.truth(filter), input.inner());
        }
    }

    /** Leaves the packet, or GPV, when the condition does not hold. */
    static void skipUnless(String condition, Block block) {
        if (!condition.equals("true")) {
            block.braces("if (" + Text.not(condition) + ")").line("continue;");
        }
    }

    private List<String> groupKey() {
        Packing packing = state.groupKeys(family);
        if (packing.words() == 0) {
            return List.of("0L");
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

    private List<String> words(List<String> codes, boolean perPacket, String name) {
        Block block = perPacket ? input.inner() : input.outer();
        List<String> words = new ArrayList<>();
        for (String code : codes) {
            String word = code;
            if (!Value.isSimple(code)) {
                word = names.fresh(name);
                block.line("long " + word + " = " + Text.unwrap(code) + ";");
            }
            words.add(word);
        }
        return words;
    }

    /** The key of a tuple of a COUNT(DISTINCT): the group's words, then the arguments'. */
    private List<String> setKey(FoldUse use, List<String> groupKey) {
        List<String> key = new ArrayList<>();
        if (state.hasKeys()) {
            key.addAll(groupKey);
        }
        Packing packing = state.arguments(use.call(), family);
        key.addAll(words(packing.pack(use.arguments()), use.isPerPacket(), "tuple"));
        return key;
    }

    /** Finds the group. Without keys it is one, and stays where it is while its pane is current. */
    private void probe(Block block, List<String> key, String packets) {
        boolean keys = state.hasKeys();
        Block find = keys ? block : block.braces("if (slot == 0L)");
        find.line((keys ? "long slot = " : "slot = ") + groups.find(find, key) + ";");
        Block absent = block.braces("if (slot == 0L)");
        absent.line(packets.equals("1") ? "full++;" : "full += " + Text.unwrap(packets) + ";");
        absent.line("continue;");
    }

    private FoldUse use(int f) {
        FoldUse use = new FoldUse(f, plan.folds().get(f), expressions);
        folds.add(use);
        return use;
    }

    private void perPacket(boolean probeOnce) {
        loops = true;
        Block inner = input.inner();
        List<String> key = groupKey();
        probe(probeOnce ? before : inner, key, probeOnce ? input.rangeCount() : "1");
        if (!sets.isEmpty()) {
            inner.line("boolean lost = false;");
        }
        for (int f = 0; f < plan.folds().size(); f++) {
            FoldUse use = use(f);
            if (use.call().distinct()) {
                insert(use, key, inner, counted(use, "1L"));
            } else {
                update(use, words(f), when(use, inner));
            }
        }
        if (!sets.isEmpty()) {
            inner.braces("if (lost)").line("full++;");
        }
    }

    private FoldCode.Words words(int f) {
        return FoldCode.memory(plan.folds().get(f).fold(), "slot", state.wordOffset(f, 0));
    }

    /** Adds to the count of a COUNT(DISTINCT). */
    private String counted(FoldUse use, String more) {
        String at = Text.at("slot", state.wordOffset(use.index(), 0));
        return "Memory.putLong(" + at + ", Memory.getLong(" + at + ") + " + more + ");";
    }

    private static Block when(FoldUse use, Block block) {
        return use.condition().equals("true")
                ? block.part()
                : block.braces("if (" + Text.unwrap(use.condition()) + ")");
    }

    private void update(FoldUse use, FoldCode.Words words, Block block) {
        Fold fold = use.fold();
        Expressions places = expressions.in(block);
        FoldCode.assign(fold, fold.update(), words, use::argument, places, block, names);
    }

    private void insert(FoldUse use, List<String> groupKey, Block outside, String counted) {
        TableCode set = sets.get(state.distinctFolds().indexOf(use.call()));
        List<String> tuple = setKey(use, groupKey);
        Block block = when(use, outside);
        String found = set.find(block, tuple);
        block.braces("if (" + found + " == 0L)").line("lost = true;");
        block.braces("else if (" + set.name() + ".inserted())").line(counted);
    }

    /** The shape that probes once a GPV. */
    private final class PerGpv {
        private final boolean filters;
        private final boolean packetSets;
        private List<String> key;

        PerGpv(boolean filters, boolean packetSets) {
            this.filters = filters;
            this.packetSets = packetSets;
        }

        void write() {
            loops = filters;
            key = groupKey();
            String packets = filters ? "matched" : input.rangeCount();
            if (filters) {
                before.line("int matched = 0;");
                input.inner().line("matched++;");
                after.braces("if (matched == 0)").line("continue;");
            }
            probe(filters ? after : before, key, packets);
            Block setsBlock = packetSets ? input.inner() : after;
            if (!sets.isEmpty()) {
                setsBlock.line("boolean lost = false;");
            }
            for (int f = 0; f < plan.folds().size(); f++) {
                FoldUse use = use(f);
                if (use.call().distinct()) {
                    distinct(use, setsBlock);
                } else {
                    fold(use, packets);
                }
            }
            if (!sets.isEmpty()) {
                String lost = packetSets ? "full++;" : "full += " + Text.unwrap(packets) + ";";
                setsBlock.braces("if (lost)").line(lost);
            }
        }

        private void distinct(FoldUse use, Block block) {
            if (!packetSets) {
                insert(use, key, block, counted(use, "1L"));
                return;
            }
            loops = true;
            String count = names.fresh("distinct" + use.index());
            before.line("long " + count + " = 0L;");
            insert(use, key, block, count + "++;");
            after.line(counted(use, count));
        }

        private void fold(FoldUse use, String packets) {
            String times = times(use, packets);
            List<String> locals = new ArrayList<>();
            for (int w = 0; w < use.fold().state().size(); w++) {
                locals.add(use.step(w).isPresent() ? stepped(use, w, times) : local(use, w));
            }
            List<Fold.Assignment> looped = new ArrayList<>();
            for (Fold.Assignment assignment : use.fold().update()) {
                int word = FoldCode.indexOf(use.fold(), assignment.state());
                if (use.step(word).isEmpty()) {
                    looped.add(assignment);
                }
            }
            loop(use, looped, locals, times);
            merge(use, locals);
        }

        /** How many updates there are, as an int expression. */
        private String times(FoldUse use, String packets) {
            if (!use.isConditionPerPacket()) {
                return packets;
            }
            String times = names.fresh("times" + use.index());
            before.line("int " + times + " = 0;");
            return times;
        }

        private String stepped(FoldUse use, int w, String times) {
            Expressions places = expressions.with(FoldCode.variables(use::argument));
            String step = places.value(use.step(w).get()).code();
            String sum = step.equals("1L") ? times : "(" + times + " * " + step + ")";
            String initial = initial(use, w);
            return initial.equals("0L") ? sum : "(" + initial + " + " + sum + ")";
        }

        private String initial(FoldUse use, int w) {
            Expr.Literal literal = use.fold().state().get(w).initial();
            return expressions.with(FoldCode.variables(use::argument)).value(literal).code();
        }

        private String local(FoldUse use, int w) {
            Fold.StateWord word = use.fold().state().get(w);
            String local = names.fresh(word.name() + use.index());
            String type = Value.of(word.kind(), "").javaType();
            before.line(type + " " + local + " = " + initial(use, w) + ";");
            return local;
        }

        private void loop(
                FoldUse use, List<Fold.Assignment> looped, List<String> locals, String times) {
            boolean counts = use.isConditionPerPacket();
            if (looped.isEmpty() && !counts) {
                return;
            }
            loops = true;
            boolean each = counts || !use.condition().equals("true");
            Block block = each ? when(use, input.inner()) : input.inner();
            if (counts) {
                block.line(times + "++;");
            }
            Expressions places = expressions.in(block);
            FoldCode.Words words = FoldCode.locals(locals);
            FoldCode.assign(use.fold(), looped, words, use::argument, places, block, names);
        }

        private void merge(FoldUse use, List<String> locals) {
            boolean tested = use.isConditionPerPacket();
            Block block = tested ? after.part() : when(use, after);
            Fold fold = use.fold();
            FoldCode.assign(
                    fold,
                    fold.merge(),
                    words(use.index()),
                    v -> Value.of(v.type().kind(), locals.get(FoldCode.indexOf(fold, v.name()))),
                    expressions.in(block),
                    block,
                    names);
        }
    }
}
