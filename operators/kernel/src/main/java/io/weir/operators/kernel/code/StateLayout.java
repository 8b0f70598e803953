package io.weir.operators.kernel.code;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.EntryLayout.Width;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMap1;
import io.weir.operators.memory.Memory;
import io.weir.operators.sketch.SketchPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The tables of a query's state. There is a table of groups, and for each COUNT(DISTINCT) a table
 * of the tuples seen (the group's key words, then the arguments'). If keys hold an address column,
 * each family has a table, because the keys differ in width.
 *
 * <p>Tables are numbered: groups 0 (IPv4, or either) and 1 (IPv6), then two for each COUNT
 * (DISTINCT) in the same manner.
 */
public final class StateLayout {
    private static final int FEW_BITS = 16;
    private static final int LANES = 2;

    /** Columns of lengths. They have 32 bits because of jumbograms. */
    private static final Set<String> LENGTHS = Set.of("bytes", "frame_bytes", "payload_bytes");

    private final Plan plan;
    private final boolean groupsSplit;
    private final List<FoldCall> distinct;
    private final int[] firstWords;
    private final List<Long> initialValue = new ArrayList<>();
    private final List<Width> widths = new ArrayList<>();

    public StateLayout(Plan plan) {
        this.plan = plan;
        groupsSplit = isSplit(keyExprs());
        distinct = plan.folds().stream().filter(FoldCall::distinct).toList();
        firstWords = new int[plan.folds().size()];
        // The code that takes light groups out reads whole words.
        boolean narrow = hasKeys() && plan.query().budget().flatMap(Budget::rank).isEmpty();
        for (int f = 0; f < firstWords.length; f++) {
            firstWords[f] = initialValue.size();
            FoldCall call = plan.folds().get(f);
            for (StateWord word : call.fold().state()) {
                initialValue.add(initial(word));
                widths.add(narrow ? width(call, word) : Width.WHOLE);
            }
        }
    }

    private Width width(FoldCall call, StateWord word) {
        if (FoldCode.isCount(call.fold(), word)) {
            return Width.COUNT;
        }
        boolean fits = plan.readsGpvs() && new Ranges(call, word).fits();
        return fits ? Width.NUMBER : Width.WHOLE;
    }

    private static long initial(StateWord word) {
        Object value = word.initial().value();
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        return word.kind() == Kind.DOUBLE
                ? Double.doubleToRawLongBits((Double) value)
                : (Long) value;
    }

    /**
     * Returns whether each packet has its own group, and the keys are small numbers with few bits
     * or a packet's length. It is false if light groups are taken out between batches, or if there
     * are tuples to keep.
     */
    boolean isDirect() {
        boolean batched = plan.query().budget().flatMap(Budget::rank).isPresent();
        if (!plan.readsGpvs() || batched || !distinct.isEmpty()) {
            return false;
        }
        Set<String> columns = new TreeSet<>();
        keyExprs().forEach(key -> Plan.addColumns(key, columns));
        return columns.stream().anyMatch(StateLayout::isInTuple) && areKeysFew();
    }

    /**
     * Returns the word of a COUNT(*), which is not 0 if the group exists. Without one there is one
     * more word.
     */
    private int entryWord() {
        for (int f = 0; f < firstWords.length; f++) {
            FoldCall call = plan.folds().get(f);
            if (call.filter().isEmpty() && call.fold().equals(Folds.count())) {
                return firstWords[f];
            }
        }
        return initialValue.size();
    }

    /** Returns whether parts of a group are merged only by sums. */
    private boolean addsOnly() {
        return plan.folds().stream()
                .allMatch(
                        call ->
                                call.fold().state().stream()
                                        .allMatch(word -> FoldCode.onlyAdds(call.fold(), word)));
    }

    private static boolean isInTuple(String column) {
        return column.equals("ts")
                || GpvLayout.all().stream()
                        .flatMap(layout -> layout.field(column).stream())
                        .anyMatch(field -> field.place() == Field.Place.TUPLE);
    }

    private boolean areKeysFew() {
        boolean length =
                keyExprs().size() == 1
                        && keyExprs().get(0) instanceof Expr.Variable column
                        && LENGTHS.contains(column.name());
        return length || groupKeys(4).bits() <= FEW_BITS;
    }

    /**
     * Returns whether there are addresses among the values, and all belong to the packet: each has
     * one family.
     */
    private boolean isSplit(List<Expr> exprs) {
        List<Expr> addresses = exprs.stream().filter(e -> e.type().kind() == Kind.INET).toList();
        return plan.readsGpvs()
                && !addresses.isEmpty()
                && addresses.stream().allMatch(Packing::isOfPacket);
    }

    List<Expr> keyExprs() {
        return plan.keys().stream().map(Operator.Named::expr).toList();
    }

    /** Returns whether there are two tables of groups. */
    public boolean isSplit() {
        return groupsSplit;
    }

    /** Returns how a family's group keys are packed; no words without keys. */
    Packing groupKeys(int family) {
        return new Packing(keyExprs(), groupsSplit ? family : 0, !plan.readsGpvs());
    }

    /**
     * Returns how a family's arguments of a COUNT(DISTINCT) are packed, after the group's key
     * words.
     */
    Packing arguments(FoldCall call, int family) {
        return new Packing(call.arguments(), isSetSplit(call) ? family : 0, !plan.readsGpvs());
    }

    private boolean isSetSplit(FoldCall call) {
        return groupsSplit || isSplit(call.arguments());
    }

    /** Number of the table of groups that a family's kernels use. */
    public int groupTable(int family) {
        return groupsSplit && family == 6 ? 1 : 0;
    }

    /** Number of the table of tuples of the {@code d}-th COUNT(DISTINCT). */
    public int setTable(int d, int family) {
        return 2 + 2 * d + (isSetSplit(distinct.get(d)) && family == 6 ? 1 : 0);
    }

    /** The table of groups that a table of tuples belongs to. */
    public int groupTableOfSet(int table) {
        return groupsSplit ? table & 1 : 0;
    }

    /**
     * Returns whether some state words are handles of sketches, which cannot be copied as bytes.
     */
    public boolean hasSketches() {
        return initialValue.contains(SketchPool.UNBOUND);
    }

    public List<FoldCall> distinctFolds() {
        return distinct;
    }

    /** Bytes from a settled group's value to the count of its d-th COUNT(DISTINCT). */
    public int distinctOffset(int d) {
        return wordOffset(plan.folds().indexOf(distinct.get(d)), 0);
    }

    public int distinctFoldCount() {
        return distinct.size();
    }

    public int tableCount() {
        return 2 + 2 * distinct.size();
    }

    /** A table's entries, as kernels fill them; 0 and 1 are groups. */
    public EntryLayout table(int index) {
        int family = (index & 1) == 0 ? 4 : 6;
        Packing keys = groupKeys(family);
        if (index < 2 && isDirect()) {
            return EntryLayout.direct(initialValue, entryWord(), addsOnly() ? LANES : 1);
        } else if (index < 2) {
            int words = Math.max(1, keys.words());
            return EntryLayout.compact(words, keys.bits(), initialValue, widths);
        }
        Packing arguments = arguments(distinct.get(index / 2 - 1), family);
        int words = isJoined(index) ? 1 : keys.words() + arguments.words();
        return EntryLayout.settled(words, List.of());
    }

    /** Returns whether the key of a tuple, a group's and its own word, is packed into one word. */
    boolean isJoined(int setTable) {
        int family = (setTable & 1) == 0 ? 4 : 6;
        Packing keys = groupKeys(family);
        Packing arguments = arguments(distinct.get(setTable / 2 - 1), family);
        return keys.words() == 1
                && arguments.words() == 1
                && keys.bits() + arguments.bits() <= Long.SIZE;
    }

    /**
     * Returns the bits of a tuple's own part of its key. In a joined key they are at the low end.
     */
    int argumentBits(int setTable) {
        return arguments(distinct.get(setTable / 2 - 1), (setTable & 1) == 0 ? 4 : 6).bits();
    }

    /**
     * Returns the places of the values in a table's keys. In a tuple they come after the group's.
     */
    public List<KeyField> keyFields(int table) {
        int family = (table & 1) == 0 ? 4 : 6;
        Packing keys = groupKeys(family);
        if (table < 2) {
            return keys.fields(0);
        }
        Packing arguments = arguments(distinct.get(table / 2 - 1), family);
        boolean joined = isJoined(table);
        List<KeyField> fields = new ArrayList<>(keys.fields(joined ? -arguments.bits() : 0));
        fields.addAll(arguments.fields(joined ? 0 : keys.words() * Long.SIZE));
        return fields;
    }

    /** Extracts the words of the group's key from those of a tuple. */
    public void groupOfTuple(int setTable, long[] tuple, long[] group) {
        if (!hasKeys()) {
            group[0] = 0;
        } else if (isJoined(setTable)) {
            group[0] = tuple[0] >>> argumentBits(setTable);
        } else {
            System.arraycopy(tuple, 0, group, 0, group.length);
        }
    }

    /** Returns the numbers of the tables that kernels use. */
    public SortedSet<Integer> usedTables() {
        SortedSet<Integer> used = new TreeSet<>();
        for (int family : new int[] {4, 6}) {
            used.add(groupTable(family));
            for (int d = 0; d < distinct.size(); d++) {
                used.add(setTable(d, family));
            }
        }
        return used;
    }

    /** Returns the number of the value word that is the first of a fold's state. */
    public int firstWordOf(FoldCall call) {
        return firstWords[plan.folds().indexOf(call)];
    }

    /** Finds the group that a tuple belongs to: the address of its value. */
    public long group(FlatMap groups, int setTable, long tuple) {
        if (!hasKeys()) {
            return ((FlatMap1) groups).findAlone(0);
        } else if (isJoined(setTable)) {
            return ((FlatMap1) groups).findAlone(Memory.getLong(tuple) >>> argumentBits(setTable));
        }
        return groups.findAt(tuple);
    }

    public boolean hasKeys() {
        return !plan.keys().isEmpty();
    }

    /** Bytes from a settled group's value to a word of the fold's state. */
    int wordOffset(int fold, int word) {
        return (firstWords[fold] + word) * Long.BYTES;
    }

    /** Returns the number of the value word that is the first of a fold's state. */
    int firstWord(int fold) {
        return firstWords[fold];
    }
}
