package io.weir.operators.kernel.code;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The aggregation of a kernel. {@code run} collects a batch of entries, each of one group; {@code
 * update} finds their groups and adds them. What an entry is, depends ({@link #shape}):
 *
 * <ul>
 *   <li>{@link FoldedShape}: the packets of a GPV, folded in locals, which are merged with the
 *       group's state;
 *   <li>{@link PacketShape}: one packet, or row, by which the state is updated;
 *   <li>{@link DirectShape}: the same without a batch;
 *   <li>{@link InPlaceShape}: a GPV, whose packets update the state one by one, in their order.
 * </ul>
 */
final class AggregateCode implements Body {
    final Plan plan;
    final StateLayout state;
    final Input input;
    final Names names;
    final Expressions expressions;
    final BatchCode batch;
    final TableCode groups;
    final List<TableCode> sets = new ArrayList<>();

    /** Lines before and after the packet loop of run. */
    final Block before = new Block();

    final Block after = new Block();

    /** Lines of run that stand at its beginning, and where a pane is left. */
    final Block start = new Block();

    final Block end = new Block();

    /** Lines of update for each entry. */
    final Block each = new Block();

    /** Lines of update after all entries. */
    private final Block last = new Block();

    private final KeyCode keys;
    private boolean loops;
    private boolean direct;

    /** Whether a GPV makes one entry in each pane at most. */
    private boolean byGpv;

    AggregateCode(
            Plan plan,
            StateLayout state,
            int family,
            Input input,
            Names names,
            Expressions expressions) {
        this.plan = plan;
        this.state = state;
        this.input = input;
        this.names = names;
        this.expressions = expressions;
        keys = new KeyCode(plan, state, family, input, names, expressions);
        batch = new BatchCode(names);
        groups = table("groups", state.groupTable(family));
        for (int d = 0; d < state.distinctFoldCount(); d++) {
            sets.add(table("seen" + d, state.setTable(d, family)));
        }
    }

    private TableCode table(String name, int number) {
        return new TableCode(name, number, state.table(number));
    }

    @Override
    public void write(List<Expr> packetFilters) {
        shape(!packetFilters.isEmpty()).write(packetFilters);
    }

    private Shape shape(boolean filters) {
        boolean packetKeys = state.keyExprs().stream().anyMatch(expressions::isPerPacket);
        boolean packetSets = state.distinctFolds().stream().anyMatch(this::isPerPacket);
        // Light groups are taken out between batches.
        boolean batched = plan.query().budget().flatMap(Budget::rank).isPresent();
        direct = packetKeys && sets.isEmpty() && keys.areFew() && !batched;
        if (direct) {
            return new DirectShape(this);
        } else if (!input.isGrouped() || packetKeys || packetSets) {
            return new PacketShape(this);
        } else if (plan.folds().stream().anyMatch(Plan::updatesInPlace)) {
            return new InPlaceShape(this, (GpvInput) input, keys);
        }
        return new FoldedShape(this, filters);
    }

    /** A way to collect entries and to update groups with them. */
    interface Shape {
        void write(List<Expr> packetFilters);
    }

    private boolean isPerPacket(FoldCall call) {
        return call.arguments().stream().anyMatch(expressions::isPerPacket)
                || call.filter().filter(expressions::isPerPacket).isPresent();
    }

    /** There is something to do for each packet. */
    void loop() {
        loops = true;
    }

    /** Leaves the packet, or GPV, when the condition does not hold. */
    static void skipUnless(String condition, Block block) {
        if (!condition.equals("true")) {
            block.braces("if (" + Text.not(condition) + ")").line("continue;");
        }
    }

    /** Leaves the packet when one of the filters does not hold. */
    static void skipUnless(List<Expr> filters, Expressions expressions, Block block) {
        for (Expr filter : filters) {
            skipUnless(expressions.truth(filter), block);
        }
    }

    /** Where what depends on the condition goes. */
    static Block when(String condition, Block block) {
        return condition.equals("true")
                ? block.part()
                : block.braces("if (" + Text.unwrap(condition) + ")");
    }

    List<String> groupKey() {
        return keys.ofGroup();
    }

    /** The folds; then each set's keys are known. */
    List<FoldUse> uses(List<String> groupKey) {
        List<FoldUse> uses = new ArrayList<>();
        for (int f = 0; f < plan.folds().size(); f++) {
            FoldUse use = new FoldUse(f, plan.folds().get(f), expressions);
            uses.add(use);
            if (use.call().distinct()) {
                set(use).keep(batch, "tuple", keys.ofTuple(use, groupKey));
            }
        }
        return uses;
    }

    TableCode set(FoldUse use) {
        return sets.get(state.distinctFolds().indexOf(use.call()));
    }

    /**
     * Finds the group of each entry, and adds to the sets.
     *
     * @param packets what an entry counts for
     */
    void find(List<FoldUse> uses, List<String> key, String packets) {
        if (state.hasKeys()) {
            groups.keep(batch, "key", key);
        }
        if (state.hasKeys() && !groups.isWide() && uses.size() == 1 && isBareSet(uses.get(0))) {
            insertFirst(uses.get(0), packets);
            return;
        }
        if (state.hasKeys()) {
            each.line("long slot = " + groups.find() + ";");
        }
        Block absent = each.braces("if (slot == 0L)");
        absent.line(full(packets)).line("continue;");
        List<FoldUse> distinct = uses.stream().filter(u -> u.call().distinct()).toList();
        if (!distinct.isEmpty()) {
            each.line("boolean lost = false;");
            distinct.forEach(this::insert);
            each.braces("if (lost)").line(full(packets));
        }
    }

    private static boolean isBareSet(FoldUse use) {
        return use.call().distinct() && use.condition().equals("true");
    }

    static String full(String packets) {
        return packets.equals("1L") ? "full++;" : "full += " + packets + ";";
    }

    private void insert(FoldUse use) {
        String condition = batch.keepTruth("condition", use.condition());
        Block block = when(condition, each);
        TableCode set = set(use);
        block.braces("if (" + set.find() + " == 0L)").line("lost = true;");
        count(use, block.braces("else if (" + set.name() + ".inserted())"));
    }

    /**
     * Where there is only a set, what is in it already needs no group. What is new is put aside,
     * and its groups are sought when all of the batch has been through the set.
     */
    private void insertFirst(FoldUse use, String packets) {
        TableCode set = set(use);
        Block absent = each.braces("if (" + set.find() + " == 0L)");
        absent.line(full(packets)).line("continue;");
        Block made = each.braces("if (" + set.name() + ".inserted())");
        List<String> key = groups.setAside(made, "made");
        String at = batch.scratch("made_at");
        made.line(at + "[made] = i;").line("made++;");

        last.line(groups.seek(key, "made"));
        Block count = last.braces("for (int m = 0; m < made; m++)");
        count.line("long slot = " + groups.find(key, "m") + ";");
        Block lost = count.braces("if (slot == 0L)");
        lost.line("int i = (int) " + at + "[m];");
        lost.line(set.name() + ".remove(" + set.findAlone() + ");");
        lost.line(full(packets)).line("continue;");
        count(use, count);
    }

    /** Adds to the count of a COUNT(DISTINCT). */
    void count(FoldUse use, Block block) {
        FoldCode.Words words = words(use);
        words.store(block, 0, words.load(0) + " + 1L");
    }

    /** The fold's words in the group's entry. */
    FoldCode.Words words(FoldUse use) {
        return FoldCode.entry(use.fold(), groups, state.firstWord(use.index()), names);
    }

    /** One more entry, of which any number may come between two calls of {@link #makeRoom}. */
    void collect(Block block) {
        batch.makeRoom(block, 1);
        batch.collect(block);
        if (asksAhead()) {
            block.braces("if ((n & Prefetch.ADDRESSES - 1) == 0)").line("ahead(pane, n);");
        }
    }

    /** The one entry of a GPV in a pane. */
    void collectGpv(Block block) {
        byGpv = true;
        batch.collect(block);
    }

    private boolean asksAhead() {
        return groups.isSought() || sets.stream().anyMatch(TableCode::isSought);
    }

    @Override
    public void makeRoom(Block block, int gpvs) {
        if (byGpv) {
            batch.makeRoom(block, gpvs);
        }
    }

    @Override
    public void ahead(Block block) {
        if (byGpv && asksAhead()) {
            block.line("ahead(pane, n);");
        }
    }

    // A kernel that no packet can pass has no batch: nothing was written.

    @Override
    public void declare(Block method, boolean entered) {
        if (direct) {
            groups.declare(method, entered ? "panes.pane()" : "");
        } else if (batch.isUsed()) {
            batch.declare(method, entered);
            method.add(start);
        }
    }

    @Override
    public void select(Block block) {
        if (direct) {
            groups.select(block, "panes.pane()");
        } else if (batch.isUsed()) {
            batch.select(block);
        }
    }

    @Override
    public void leave(Block block) {
        if (batch.isUsed()) {
            block.add(end);
            block.line("batch.entries(n);");
        }
    }

    @Override
    public void finish(Block method) {
        if (batch.isUsed()) {
            method.line("panes.update(this);");
        }
    }

    @Override
    public void members(Block members) {
        if (!batch.isUsed()) {
            return;
        }
        if (asksAhead()) {
            members.line("");
            Block ahead = members.braces("private static void ahead(Tables pane, int n)");
            ahead.line("Batch batch = pane.batch();");
            Stream.concat(Stream.of(groups), sets.stream())
                    .filter(TableCode::isSought)
                    .forEach(table -> table.ahead(ahead));
        }
        members.line("");
        Block method = members.braces("public void update(Panes panes, Tables pane)");
        batch.read(method);
        groups.declare(method, "pane");
        sets.forEach(set -> set.declare(method, "pane"));
        if (!state.hasKeys()) {
            method.line("long slot = groups.find(0L);");
        }
        groups.seek(method);
        sets.forEach(set -> set.seek(method));
        method.line("long full = 0L;");
        if (!last.isEmpty()) {
            method.line("int made = 0;");
        }
        method.braces("for (int i = 0; i < n; i++)").add(each);
        method.add(last);
        method.line("panes.count(0L, 0L, full);");
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
}
