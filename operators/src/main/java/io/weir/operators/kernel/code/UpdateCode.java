package io.weir.operators.kernel.code;

import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import java.util.List;
import java.util.function.Function;

/**
 * A kernel's {@code update}, where it finds the groups of a batch before it adds to them: entry by
 * entry, or in two passes, of which the first has no branch on where a key lies, or leaves out what
 * is in its set already.
 */
final class UpdateCode {
    private final AggregateCode code;
    private final StateLayout state;
    private final BatchCode batch;
    private final TableCode groups;

    /** Lines for each entry, before those that add to its group. */
    private final Block find = new Block();

    /** Where an entry is kept that is new in its set; null where groups do not wait for that. */
    private Block made;

    /** Lines for each of those. */
    private final Block last = new Block();

    /** The table in which entries are sought without a branch first; null where that is no use. */
    private TableCode first;

    /** Whether what is away adds nothing to the group at its home, and is told so by a mask. */
    private boolean masked;

    UpdateCode(AggregateCode code) {
        this.code = code;
        state = code.state;
        batch = code.batch;
        groups = code.groups;
    }

    /**
     * Finds the group of each entry, and adds to the sets.
     *
     * @param packets what an entry counts for
     * @param matched how many of them are for the set; null where its condition tells
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
            first = code.hasFewWords() && distinct.isEmpty() && !groups.isWide() ? groups : null;
            masked = first != null && addsOnly(uses, assigned);
        }
        find.braces("if (slot == 0L)").line(AggregateCode.full(packets)).line("continue;");
        if (!distinct.isEmpty()) {
            find.line("boolean lost = false;");
            distinct.forEach(use -> insert(use, matched));
            find.braces("if (lost)")
                    .line(AggregateCode.full(matched == null ? packets : batch.keep(matched)));
        }
    }

    private static boolean addsOnly(List<FoldUse> uses, Function<Fold, List<Assignment>> assigned) {
        return uses.stream()
                .map(FoldUse::fold)
                .allMatch(fold -> FoldCode.addsOnly(fold, assigned.apply(fold)));
    }

    boolean isMasked() {
        return masked;
    }

    private void insert(FoldUse use, String matched) {
        String condition =
                matched == null
                        ? batch.keepTruth(use.condition())
                        : "(" + batch.keep(matched) + " > 0L)";
        Block block = AggregateCode.when(condition, find);
        TableCode set = code.set(use);
        block.braces("if (" + set.findSought() + " == 0L)").line("lost = true;");
        code.count(use, block.braces("else if (" + set.name() + ".inserted())"));
    }

    private static boolean isBareSet(FoldUse use) {
        return use.call().distinct() && use.condition().equals("true");
    }

    /**
     * Where there is only a set, what is in it already needs no group. What is new moves to the
     * front of the batch, and its groups are sought when all of the batch has been through the set.
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

    void write(Block members) {
        Block method = members.braces("public void update(Panes panes, Tables pane)");
        declare(method);
        if (made != null) {
            method.line("long front = batch.start();");
            batch.copy(made, "front");
            made.line("front += " + batch.entryBytes() + ";");
        }
        if (first == null) {
            method.braces(batch.loop("n")).add(find).add(code.each);
        } else {
            atHomeFirst(method);
        }
        if (made != null) {
            groupsOfMade(method);
        }
        groups.carry(method);
        method.line("panes.count(0L, 0L, full);");
    }

    private void declare(Block method) {
        method.line("Batch batch = pane.batch();").line("int n = batch.take();");
        groups.declare(method, "pane");
        code.sets.forEach(set -> set.declare(method, "pane"));
        if (!state.hasKeys()) {
            method.line("long slot = groups.findAlone(0L);");
        }
        code.sought().forEach(table -> method.line(table.seek("n")));
        method.line("long full = 0L;").line("int i = 0;");
        groups.declareHigh(method);
    }

    /** Entries whose keys are at home, without a branch; then the others. */
    private void atHomeFirst(Block method) {
        method.line("long other = batch.others();");
        Block loop = method.braces(batch.loop("n"));
        loop.line("long away = " + first.away() + ";");
        if (!code.each.isEmpty()) {
            loop.line("long slot = " + (masked ? first.atHome() : first.slot()) + ";");
        }
        loop.line("Memory.putLong(other, entry);").line("other += away & 8L;").add(code.each);
        Block others = method.braces("for (long o = batch.others(); o < other; o += 8L)");
        others.line("long entry = Memory.getLong(o);");
        if (masked) {
            others.line("long away = 0L;");
        }
        others.add(find).add(code.each);
    }

    private void groupsOfMade(Block method) {
        method.line("int made = (int) (front - batch.start()) / " + batch.entryBytes() + ";");
        method.line(groups.seek("made")).line("i = 0;");
        Block count = method.braces(batch.loop("made"));
        count.line("long slot = " + groups.find() + ";").add(last);
    }
}
