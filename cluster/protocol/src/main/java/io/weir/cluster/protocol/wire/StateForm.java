package io.weir.cluster.protocol.wire;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Symbols;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.code.KeyField;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.Hash;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The form of the blocks of a query's partials. It is the same in every process that compiled the
 * same query; the fingerprint proves that. Immutable.
 */
public final class StateForm {
    private final CompiledQuery code;
    private final StateLayout state;
    private final RowLayout rows;
    private final SortedMap<Integer, EntryForm> tables = new TreeMap<>();
    private final List<Integer> sketchWords = new ArrayList<>();
    private final List<Kind> sketchKinds = new ArrayList<>();
    private final List<Integer> countWords = new ArrayList<>();
    private final List<KeyField> groupSymbols4;
    private final List<KeyField> groupSymbols6;
    private final long fingerprint;

    private StateForm(CompiledQuery code) {
        this.code = code;
        boolean groups = code.query().aggregate().isPresent();
        state = groups ? code.stateLayout() : null;
        rows = groups ? null : code.heldLayout();
        if (groups) {
            for (int table : state.usedTables()) {
                EntryLayout layout = state.table(table).toSettled();
                int values = layout.initialValue().size();
                tables.put(table, EntryForm.of(layout.keyWords(), values, state.keyFields(table)));
            }
            folds().forEach(this::words);
        } else {
            tables.put(
                    BlockForm.ROWS,
                    EntryForm.of(0, 1 + rows.strideBytes() / Long.BYTES, List.of()));
        }
        groupSymbols4 = groups ? tables.get(state.groupTable(4)).symbols() : List.of();
        groupSymbols6 = groups ? tables.get(state.groupTable(6)).symbols() : List.of();
        fingerprint = Fingerprint.of(code, tables);
    }

    public static StateForm of(CompiledQuery code) {
        return new StateForm(code);
    }

    private void words(FoldCall call) {
        int first = state.firstWordOf(call);
        if (call.distinct()) {
            countWords.add(first);
        } else if (SketchFolds.isOne(call.fold())) {
            sketchWords.add(first);
            sketchKinds.add(call.fold().arguments().get(0).type().kind());
        }
    }

    private List<FoldCall> folds() {
        return code.query().aggregate().orElseThrow().folds();
    }

    CompiledQuery code() {
        return code;
    }

    /**
     * Returns the value word that counts a group's packets, if the query reports what is left out.
     */
    OptionalInt packetsWord() {
        return code.packetsWord();
    }

    /** Returns the state, null for rows. */
    StateLayout state() {
        return state;
    }

    /** Returns the row layout, null for groups. */
    RowLayout rows() {
        return rows;
    }

    /** Returns the tables by number, groups first; rows are {@link BlockForm#ROWS}. */
    SortedMap<Integer, EntryForm> tables() {
        return tables;
    }

    /** Returns the value words that are sketches. */
    List<Integer> sketchWords() {
        return sketchWords;
    }

    /** Returns the kind of a sketch's values. */
    Kind sketchKind(int sketch) {
        return sketchKinds.get(sketch);
    }

    /** Returns the value words that count the tuples of a set. */
    List<Integer> countWords() {
        return countWords;
    }

    /** Returns the fingerprint that its blocks must have. */
    public long fingerprint() {
        return fingerprint;
    }

    /**
     * Returns whether its groups are spread over shards: not rows, nor the one group without keys.
     */
    public boolean isSharded() {
        return state != null && state.hasKeys();
    }

    /**
     * Returns the shard of a group: the same in every process.
     *
     * @param table that the group, or the tuple of a set, is in
     * @param group words of the group's key; this call overwrites them
     */
    int shard(int table, long[] group, int shards) {
        List<KeyField> symbols = (table & 1) == 0 ? groupSymbols4 : groupSymbols6;
        for (KeyField symbol : symbols) {
            if (!symbol.isNull(group)) {
                long id = KeyField.get(group, symbol.at(), symbol.bits());
                KeyField.put(group, symbol.at(), symbol.bits(), Symbols.hash(id));
            }
        }
        long hash = Hash.of(group[0]);
        for (int w = 1; w < group.length; w++) {
            hash = Hash.mix(hash, group[w]);
        }
        return Hash.bucket(hash, shards);
    }

    /** Makes an array for the key words of a group that is in, or has tuples in, this table. */
    long[] newGroup(int table) {
        return new long[tables.get(state.groupTableOfSet(table)).keyWords()];
    }
}
