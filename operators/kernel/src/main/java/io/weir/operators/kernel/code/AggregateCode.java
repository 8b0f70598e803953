package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.map.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

/**
 * The aggregation of a kernel. {@code run} collects a batch of entries, each of one group. {@link
 * UpdateCode update} finds their groups and adds them. The {@link #shape} decides what an entry is:
 *
 * <ul>
 *   <li>{@link FoldedShape}: the packets of a GPV, folded in locals, which are merged with the
 *       group's state;
 *   <li>{@link PacketShape}: one packet, or row, by which the state is updated;
 *   <li>{@link InPlaceShape}: a GPV, whose packets update the state one by one, in their order.
 * </ul>
 */
final class AggregateCode extends BatchedCode {
    /**
     * With more words a wrong guess costs little beside the rest. So much code is not written
     * twice.
     */
    private static final int MOST_WORDS = 6;

    final Plan plan;
    final StateLayout state;
    final Input input;
    final Names names;
    final Expressions expressions;
    final TableCode groups;
    final List<TableCode> sets = new ArrayList<>();

    /** Lines before and after the packet loop of run. */
    final Block before = new Block();

    final Block after = new Block();

    /** Lines of run at its beginning, and at each place that leaves a pane. */
    final Block start = new Block();

    final Block end = new Block();

    /** Lines of update for each entry, after those that find its group. */
    final Block each = new Block();

    /** Lets C read GPVs, if C can. */
    final GatherMethod gather;

    private final UpdateCode update;
    private final KeyCode keys;
    private boolean loops;

    private Entries entries = Entries.NONE;

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
        keys = new KeyCode(plan, state, family, expressions, input.gather());
        groups = table("groups", state.groupTable(family));
        for (int d = 0; d < state.distinctFoldCount(); d++) {
            sets.add(table("seen" + d, state.setTable(d, family)));
        }
        update = new UpdateCode(this);
        gather = new GatherMethod(this, update);
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
        boolean oneSet = sets.size() == 1 && !hasPacketArguments(state.distinctFolds().get(0));
        if (!input.isGrouped() || packetKeys || packetSets && !oneSet) {
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

    private boolean hasPacketArguments(FoldCall call) {
        return call.arguments().stream().anyMatch(expressions::isPerPacket);
    }

    private boolean isPerPacket(FoldCall call) {
        return hasPacketArguments(call)
                || call.filter().filter(expressions::isPerPacket).isPresent();
    }

    /** Reports that there is work for each packet. */
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

    /** Returns the block for code that depends on the condition. */
    static Block when(String condition, Block block) {
        return condition.equals("true")
                ? block.part()
                : block.braces("if (" + Text.unwrap(condition) + ")");
    }

    List<String> groupKey() {
        return keys.ofGroup();
    }

    /** Returns the folds. After that the keys of each set are known. */
    List<FoldUse> uses(List<String> groupKey) {
        List<FoldUse> uses = new ArrayList<>();
        for (int f = 0; f < plan.folds().size(); f++) {
            FoldUse use = new FoldUse(f, plan.folds().get(f), expressions);
            uses.add(use);
            if (use.call().distinct()) {
                set(use).keep(batch, keys.ofTuple(use, groupKey));
            }
        }
        return uses;
    }

    TableCode set(FoldUse use) {
        return sets.get(state.distinctFolds().indexOf(use.call()));
    }

    /** {@link UpdateCode#find}. */
    void find(
            List<FoldUse> uses,
            List<String> key,
            String packets,
            String matched,
            Function<Fold, List<Assignment>> assigned) {
        update.find(uses, key, packets, matched, assigned);
    }

    /** {@link UpdateCode#findAlone}. */
    void findAlone(Block block) {
        update.findAlone(block);
    }

    /**
     * Returns whether the words of a group are few and lie together, so that a branch would save
     * nothing.
     */
    boolean hasFewWords() {
        return groups.layout().valueWords() <= MOST_WORDS;
    }

    static String full(String packets) {
        return packets.equals("1L") ? "full++;" : "full += " + packets + ";";
    }

    /** Adds to the count of a COUNT(DISTINCT). */
    void count(FoldUse use, Block block) {
        words(use).add(block, 0, "1L");
    }

    /** The fold's words in the group's entry. */
    FoldCode.Words words(FoldUse use) {
        return words(use, (more, word) -> {});
    }

    /**
     * Does the same as {@link #words} for what is done with {@link #each} entry.
     *
     * @param always whether it is done for all entries
     */
    FoldCode.Words wordsOfEach(FoldUse use, boolean always) {
        if (!always) {
            update.adds().other();
        }
        return words(use, update.adds()::add);
    }

    private FoldCode.Words words(FoldUse use, ObjIntConsumer<String> added) {
        int first = state.firstWord(use.index());
        return FoldCode.entry(use.fold(), groups, first, names, update::isMasked, added);
    }

    /** Adds an entry of a packet, or of a GPV. The loop over GPVs has made room. */
    void collect(Block block, Entries each) {
        entries = each;
        batch.collect(block);
    }

    /** Adds an entry and makes room for it first. */
    void collectAlone(Block block) {
        BatchCode.flush(block.braces("if (" + batch.lacks("1") + ")"));
        batch.collect(block);
    }

    @Override
    public Optional<String> gathers(boolean paned) {
        return gather.constructor(paned);
    }

    @Override
    public Entries entries() {
        return entries;
    }

    @Override
    public int most() {
        return Batch.SIZE;
    }

    private boolean seeks() {
        return entries != Entries.NONE && sought().findAny().isPresent();
    }

    @Override
    public void ahead(Block block, boolean lines) {
        if (seeks()) {
            block.line(
                    lines
                            ? "near = ahead(panes, entry, near, next);"
                            : "ahead(panes, entry, next, next);");
        }
    }

    @Override
    public void declare(Block method, boolean entered) {
        super.declare(method, entered);
        method.add(start);
    }

    @Override
    public void leave(Block block) {
        block.add(end);
        super.leave(block);
    }

    @Override
    void methods(Block members) {
        if (gather.isUsed()) {
            gather.write(members);
        } else if (seeks()) {
            members.line("");
            String where = "(Panes panes, long to, long near, long next)";
            Block ahead = members.braces("private static long ahead" + where);
            ahead.line("Batch batch = panes.batch();");
            ahead.line("int n = (int) (to - batch.start()) / " + batch.entryBytes() + ";");
            // Only one of the tables prefetches the lines of GPVs too.
            sought().skip(1).forEach(table -> ahead.line(table.ahead("next")));
            ahead.line("return " + sought().findFirst().get().ahead("near"));
        }
        members.line("");
        update.write(members);
    }

    /** Returns the tables whose home slots are sought for a whole batch. */
    Stream<TableCode> sought() {
        return Stream.concat(Stream.of(groups), sets.stream()).filter(TableCode::isSought);
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
