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
 * The aggregation of a kernel. {@code run} collects a batch of entries, each of one group; {@link
 * UpdateCode update} finds their groups and adds them. What an entry is, depends ({@link #shape}):
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
     * With more of them the guess costs little beside the rest, and so much code is not doubled.
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

    /** Lines of run that stand at its beginning, and where a pane is left. */
    final Block start = new Block();

    final Block end = new Block();

    /** Lines of update for each entry, after those that find its group. */
    final Block each = new Block();

    private final UpdateCode update;
    private final KeyCode keys;
    private boolean loops;

    private Entries entries = Entries.NONE;

    /** What C reads of GPVs, as an expression; null where it does not. */
    private String gather;

    /** What it adds to tables, as calls. */
    private List<String> adds = List.of();

    /** Entries that it may make before it looks whether tables have room. */
    private String most = "Math.min(gpvs, Gather.ENTRIES)";

    /** The locals that it adds up, where there are no entries. */
    private List<String> sums;

    /** How many packets count, there. */
    private String counted;

    /** Of packets that count only where a field matches: literals of what is asked for. */
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

    /** Whether a group's words lie together, so that none is spared by a branch. */
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
     * The same where that is what is done with {@link #each} entry.
     *
     * @param always whether it is, or something tells for which
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

    /** One more entry, for which the loop over GPVs has made room: of a packet, or of a GPV. */
    void collect(Block block, Entries each) {
        entries = each;
        batch.collect(block);
    }

    /** One more entry, for which room is made. */
    void collectAlone(Block block) {
        BatchCode.flush(block.braces("if (" + batch.lacks("1") + ")"));
        batch.collect(block);
    }

    /** Only packets count in which bits of a field have a value. */
    void match(String column, List<String> maskAndValue) {
        match = maskAndValue;
        input.gather().match(column);
    }

    /**
     * Has C read the GPVs, if it can: each has an entry.
     *
     * @param packets the local that says how many of its packets count
     */
    void gather(String packets) {
        adds = addsOfC();
        gather = input.gather().ofEntries(batch.words(), packets, plan.hasWhen(), adds);
        gatherIf(!loops);
    }

    /** The same where each packet has one. */
    void gatherPackets() {
        adds = addsOfC();
        gather = input.gather().ofPackets(batch.words(), plan.hasWhen(), adds);
        most = Integer.toString(Gather.PACKETS);
        gatherIf(true);
    }

    /**
     * The same where GPVs are added up.
     *
     * @param packets the local that says how many packets count
     * @param added those that are added up beside it
     */
    void gatherSums(String packets, List<String> added) {
        sums = added;
        counted = packets;
        gather = loops ? null : input.gather().ofSums(added, plan.hasWhen());
    }

    /** What takes light groups out is to be asked for room first. */
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

    /** All that is added up is an entry. */
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
            // One of them asks for the lines of GPVs, too.
            sought().skip(1).forEach(table -> ahead.line(table.ahead("next")));
            ahead.line("return " + sought().findFirst().get().ahead("near"));
        }
        members.line("");
        update.write(members);
    }

    /**
     * The tables whose homes C finds: groups after a set, too, which only what is new in it needs.
     */
    private List<TableCode> gathered() {
        List<TableCode> tables = new ArrayList<>(sought().toList());
        if (update.isOfMade()) {
            tables.add(groups);
        }
        return tables;
    }

    /** The tables whose homes are sought for a whole batch. */
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
