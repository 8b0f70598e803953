package io.weir.operators.kernel.code;

import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import java.util.List;
import java.util.function.Function;

/**
 * The {@code update} of a kernel that finds the groups of a batch before it adds to them. It goes
 * entry by entry or in two passes. The first pass has no branch on the place of a key, or it skips
 * tuples that are already in their set. A set beside other folds takes four passes: two for groups,
 * two for the set.
 */
final class UpdateCode {
    private static final String ALONE = "groups.findAlone(0L)";

    private final AggregateCode code;
    private final StateLayout state;
    private final BatchCode batch;
    private final TableCode groups;

    /** Lines for each entry, before those that add to its group. */
    private final Block find = new Block();

    /** Code that keeps an entry that is new in its set; null if groups do not wait for that. */
    private Block made;

    /** Lines for each of those entries. */
    private final Block last = new Block();

    /** The table in which entries are first sought without a branch; null if that is no use. */
    private TableCode first;

    /** A set that is filled after the groups; null if that is no use. */
    private TableCode set;

    /** The condition under which an entry belongs to the set. */
    private String condition;

    /** Lines for each entry that is not at its home slot in the set. */
    private final Block insert = new Block();

    /**
     * True if an entry that is not at home adds nothing to the group there, because a mask zeroes
     * it.
     */
    private boolean masked;

    /** True if the group without keys is first sought when a packet needs it. */
    private boolean late;

    private final AddsCode adds;

    UpdateCode(AggregateCode code) {
        this.code = code;
        state = code.state;
        batch = code.batch;
        groups = code.groups;
        adds = new AddsCode(batch, groups.layout());
    }

    /** Returns the receiver of reports on what is done to each group. */
    AddsCode adds() {
        return adds;
    }

    /** Returns the calls for the part that C can do; none if it cannot do all. */
    List<String> forC() {
        if (made != null && first != null) {
            return adds.toGroupsOfNew(0);
        }
        return masked && set == null ? adds.toGroups() : List.of();
    }

    /**
     * Finds the group of each entry, and adds to the sets.
     *
     * @param packets the number of packets that an entry counts for
     * @param matched how many of them belong to the set; null if its condition decides
     * @param assigned what is done with the words of a group
     */
    void find(
            List<FoldUse> uses,
            List<String> key,
            String packets,
            String matched,
            Function<Fold, List<Assignment>> assigned) {
        if (state.hasKeys()) {
            groups.keep(batch, key);
        }
        if (state.hasKeys() && !groups.isWide() && uses.size() == 1 && isBareSet(uses.get(0))) {
            insertFirst(uses.get(0), packets);
            return;
        }
        List<FoldUse> distinct = uses.stream().filter(u -> u.call().distinct()).toList();
        if (state.hasKeys()) {
            find.line("long slot = " + groups.findSought() + ";");
            first = canBeFirst(distinct) ? groups : null;
            masked = first != null && addsOnly(uses, assigned);
        }
        boolean apart = first != null && !distinct.isEmpty();
        if (apart) {
            find.line(groups.keepSlot());
        }
        find.braces("if (slot == 0L)").line(AggregateCode.full(packets)).line("continue;");
        if (apart) {
            insertAfter(distinct.get(0), packets, matched);
        } else if (!distinct.isEmpty()) {
            insertEach(distinct, packets, matched);
        }
    }

    /** Sketches are not possible: scratch can only take added words. */
    private boolean canBeFirst(List<FoldUse> distinct) {
        boolean oneSet = distinct.size() == 1 && !code.set(distinct.get(0)).isWide();
        return code.hasFewWords()
                && !groups.isWide()
                && !state.hasSketches()
                && (distinct.isEmpty() || oneSet);
    }

    private static boolean addsOnly(List<FoldUse> uses, Function<Fold, List<Assignment>> assigned) {
        return uses.stream()
                .filter(use -> !use.call().distinct())
                .map(FoldUse::fold)
                .allMatch(fold -> FoldCode.addsOnly(fold, assigned.apply(fold)));
    }

    /** Returns whether the groups take only tuples that are new in a set. */
    boolean isOfMade() {
        return made != null;
    }

    boolean isMasked() {
        return masked;
    }

    private void insertEach(List<FoldUse> distinct, String packets, String matched) {
        find.line("boolean lost = false;");
        for (FoldUse use : distinct) {
            Block block = AggregateCode.when(conditionOf(use, matched), find);
            block.braces("if (" + code.set(use).findSought() + " == 0L)").line("lost = true;");
            countIfInserted(use, block);
        }
        find.braces("if (lost)").line(lost(packets, matched));
    }

    /**
     * Writes the code for a set beside other folds that does not share its first pass with theirs.
     */
    private void insertAfter(FoldUse use, String packets, String matched) {
        set = code.set(use);
        condition = conditionOf(use, matched);
        insert.braces("if (" + set.findSought() + " == 0L)").line(lost(packets, matched));
        countIfInserted(use, insert);
    }

    private String conditionOf(FoldUse use, String matched) {
        return matched == null
                ? batch.keepTruth(use.condition())
                : "(" + batch.keep(matched) + " > 0L)";
    }

    private String lost(String packets, String matched) {
        return AggregateCode.full(matched == null ? packets : batch.keep(matched));
    }

    private void countIfInserted(FoldUse use, Block block) {
        code.count(use, block.braces("else if (" + code.set(use).name() + ".inserted())"));
    }

    private static boolean isBareSet(FoldUse use) {
        return use.call().distinct() && use.condition().equals("true");
    }

    /**
     * Writes the code for a set without other folds. A tuple that is already in the set needs no
     * group. New tuples go on a list, which the groups take after the whole batch.
     */
    private void insertFirst(FoldUse use, String packets) {
        TableCode set = code.set(use);
        Block absent = find.braces("if (" + set.findSought() + " == 0L)");
        absent.line(AggregateCode.full(packets)).line("continue;");
        made = find.braces("if (" + set.name() + ".inserted())");
        first = set.isWide() ? null : set;
        Block lost = last.braces("if (slot == 0L)");
        lost.line(set.name() + ".remove(" + set.findAlone() + ");");
        lost.line(AggregateCode.full(packets)).line("continue;");
        code.count(use, last);
    }

    /** Finds the group without keys here. A pane without a passing packet has none. */
    void findAlone(Block block) {
        late = true;
        block.line("slot = " + ALONE + ";");
    }

    void write(Block members) {
        Block method = members.braces("public void update(Panes panes, Tables pane)");
        code.expressions.declareTables(method);
        declare(method);
        if (made != null) {
            made.line("Memory.putLong(made, entry);").line("made += 8L;");
        }
        if (first == null) {
            method.braces(batch.loop("n")).add(find).add(code.each);
        } else {
            atHomeFirst(method);
        }
        if (made != null) {
            groupsOfMade(method);
        } else if (set != null) {
            throughSet(method);
        }
        groups.carry(method);
        method.line("panes.count(0L, 0L, full);");
    }

    private void declare(Block method) {
        method.line("Batch batch = pane.batch();").line("int n = batch.take();");
        groups.declare(method, "pane");
        code.sets.forEach(set -> set.declare(method, "pane"));
        if (!state.hasKeys()) {
            method.line("long slot = " + (late ? "0L" : ALONE) + ";");
        }
        code.sought().forEach(table -> method.line(table.seek()));
        claim(method);
        method.line("long full = 0L;").line("int i = 0;");
        groups.declareHigh(method);
    }

    /** Makes all new keys at once, if each entry has one that is sought without a branch. */
    private void claim(Block method) {
        if (made != null) {
            String list = first == null ? "batch.made()" : first.claim();
            method.line(groups.seek()).line("long made = " + list + ";");
        } else if (first != null) {
            method.line(first.claim() + ";");
        }
    }

    /** Takes entries with keys at home first, without a branch; then the others. */
    private void atHomeFirst(Block method) {
        method.line("long other = batch.others();");
        Block loop = method.braces(batch.loop("n"));
        loop.line("long away = " + first.away() + ";");
        if (!code.each.isEmpty()) {
            loop.line("long slot = " + (masked ? first.atHome() : first.slot()) + ";");
        }
        loop.line("Memory.putLong(other, entry);").line("other += away & 8L;").add(code.each);
        others(method).add(find).add(code.each);
    }

    /** Writes a loop over the entries that are not at home. */
    private Block others(Block method) {
        Block others = method.braces("for (long o = batch.others(); o < other; o += 8L)");
        others.line("long entry = Memory.getLong(o);");
        if (masked) {
            others.line("long away = 0L;");
        }
        return others;
    }

    /**
     * Skips entries at home in the set, because the set has them. Then takes the others, whose
     * groups are known.
     */
    private void throughSet(Block method) {
        method.line("other = batch.others();").line("i = 0;");
        Block loop = method.braces(batch.loop("n"));
        AggregateCode.skipUnless(condition, loop);
        loop.line("Memory.putLong(other, entry);");
        loop.line("other += " + set.away() + " & 8L;");
        Block others = others(method).line("long slot = " + groups.atHome() + ";");
        others.braces("if (slot == 0L)").line("continue;");
        others.add(insert);
    }

    private void groupsOfMade(Block method) {
        Block count = method.braces("for (long m = batch.made(); m < made; m += 8L)");
        count.line("long entry = Memory.getLong(m);");
        count.line("long slot = " + groups.find() + ";").add(last);
    }
}
