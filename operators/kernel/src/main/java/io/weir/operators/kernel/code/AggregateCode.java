package io.weir.operators.kernel.code;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.kernel.Gather;
import io.weir.operators.map.Batch;
import io.weir.operators.map.GatherCall;
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

    private final UpdateCode update;
    private final KeyCode keys;
    private boolean loops;

    private Entries entries = Entries.NONE;

    /** The expression for C's reading of GPVs; null if C reads none. */
    private String gather;

    /** The calls that describe the additions of C to tables. */
    private List<String> adds = List.of();

    /** The most entries that C may make before it checks whether the tables have room. */
    private String most = "Math.min(gpvs, Gather.ENTRIES)";

    /** The locals that C adds up if there are no entries. */
    private List<String> sums;

    /** The local that counts packets if there are no entries. */
    private String counted;

    /** The literals to match, if packets count only when a field matches. */
    private List<String> match = List.of();

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

    /** Requires that bits of a field have a value, for packets to count. */
    void match(String column, List<String> maskAndValue) {
        match = maskAndValue;
        input.gather().match(column);
    }

    /**
     * Lets C read the GPVs if it can. Each GPV has an entry.
     *
     * @param packets the local with the number of its packets that count
     */
    void gather(String packets) {
        adds = addsOfC();
        gather = input.gather().ofEntries(batch.words(), packets, plan.hasWhen(), adds);
        gatherIf(!loops);
    }

    /** Lets C read the GPVs if each packet has an entry. */
    void gatherPackets() {
        adds = addsOfC();
        gather = input.gather().ofPackets(batch.words(), plan.hasWhen(), adds);
        most = Integer.toString(Gather.PACKETS);
        gatherIf(true);
    }

    /**
     * Lets C read the GPVs if they are added up.
     *
     * @param packets the local with the number of packets that count
     * @param added the locals that are added up beside it
     */
    void gatherSums(String packets, List<String> added) {
        sums = added;
        counted = packets;
        gather = loops ? null : input.gather().ofSums(added, plan.hasWhen());
    }

    /** If light groups are taken out, the update must make room first. C cannot do that. */
    private List<String> addsOfC() {
        boolean makesRoom = plan.query().budget().flatMap(Budget::rank).isPresent();
        return makesRoom ? List.of() : update.forC();
    }

    private void gatherIf(boolean can) {
        if (!can || gathered().size() > GatherCall.MOST_TABLES) {
            gather = null;
        } else if (gather != null) {
            batch.atMost(Gather.ENTRIES);
        }
    }

    @Override
    public Optional<String> gathers(boolean paned) {
        return Optional.ofNullable(gather)
                .map(made -> "\n    " + made + ",\n    " + batch.entryBytes() + ", " + paned);
    }

    private void tests(Block block) {
        List<Long> values = input.gather().values();
        for (int v = 0; v < values.size(); v++) {
            String literal = expressions.word(values.get(v), values.get(v).toString());
            block.line("Gather.value(batch, " + v + ", " + literal + ");");
        }
        if (!match.isEmpty()) {
            block.line("Gather.match(batch, " + String.join(", ", match) + ");");
        }
    }

    private void gatherMethod(Block members) {
        Block method =
                members.braces(
                        "protected long gather(Panes panes, Tables pane, long entry, long end,"
                                + " long next, int gpvs, long from, long until)");
        method.line("Batch batch = pane.batch();");
        if (sums == null) {
            toEntries(method);
        } else {
            toSums(method);
        }
    }

    private void toEntries(Block method) {
        tests(method);
        List<TableCode> tables = gathered();
        tables.forEach(table -> table.declare(method, "pane"));
        for (int t = 0; t < tables.size(); t++) {
            method.line(tables.get(t).tell(t, adds.isEmpty() ? null : most));
        }
        method.line("long after = gather.entries(batch, entry, end, next, gpvs, from, until);");
        for (int t = 0; t < tables.size(); t++) {
            method.line(tables.get(t).heed(t, !adds.isEmpty()));
        }
        if (!adds.isEmpty()) {
            groups.carryIf("Gather.isHigh(batch)", method);
        }
        method.line("return after;");
    }

    /** Turns the sums into one entry. */
    private void toSums(Block method) {
        method.add(start);
        tests(method);
        String call = "gather.packets(batch, next, gpvs, from, until);";
        method.line("long " + counted + " = " + call);
        for (int s = 0; s < sums.size(); s++) {
            method.line("long " + sums.get(s) + " = Gather.sum(batch, " + s + ");");
        }
        method.add(after).add(end).line("return entry;");
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
        if (gather != null) {
            members.line("");
            gatherMethod(members);
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

    /**
     * Returns the tables whose home slots C finds. Groups that come after a set are among them,
     * though only new tuples need them.
     */
    private List<TableCode> gathered() {
        List<TableCode> tables = new ArrayList<>(sought().toList());
        if (update.isOfMade()) {
            tables.add(groups);
        }
        return tables;
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
