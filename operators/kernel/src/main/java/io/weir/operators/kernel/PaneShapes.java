package io.weir.operators.kernel;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Sharing;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.LightestEviction;
import io.weir.operators.rows.RowLayout;
import io.weir.operators.window.PaneShape;
import io.weir.operators.window.TopKShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The shapes of the panes that a query needs. Immutable. */
final class PaneShapes {
    /** Rows without aggregates are held for one second, so that they come in order of time. */
    private static final long ROWS_NS = 1_000_000_000L;

    private final Optional<Window> window;
    private final boolean groups;
    private final List<EntryLayout> tables = new ArrayList<>();
    private final List<List<Integer>> tablesOfFamily = new ArrayList<>();
    private final int rowBytes;
    private final Optional<HeavyWords> heavy;
    private final OptionalInt creditWord;

    /** Word numbers in a group's value. */
    private record HeavyWords(int weight, int credit, int packets) {
        TopKShape shape(int panes) {
            return new TopKShape(weight, credit, packets, panes);
        }
    }

    PaneShapes(Plan plan, StateLayout state, RowLayout rows) {
        groups = plan.aggregate().isPresent();
        window = plan.aggregate().flatMap(a -> a.window());
        rowBytes = groups ? 0 : Long.BYTES + rows.strideBytes();
        for (int t = 0; groups && t < state.tableCount(); t++) {
            tables.add(state.table(t));
        }
        for (int family : new int[] {4, 6}) {
            List<Integer> used = new ArrayList<>();
            if (groups) {
                used.add(state.groupTable(family));
                for (int d = 0; d < state.distinctFoldCount(); d++) {
                    used.add(state.setTable(d, family));
                }
            }
            tablesOfFamily.add(used);
        }
        heavy =
                plan.query()
                        .budget()
                        .flatMap(Budget::rank)
                        .map(rank -> heavyWords(plan, state, rank));
        creditWord = heavy.isPresent() ? OptionalInt.empty() : word(plan, state, Undercount.CREDIT);
    }

    private static HeavyWords heavyWords(Plan plan, StateLayout state, FoldCall rank) {
        return new HeavyWords(
                word(plan, state, rank).orElseThrow(),
                word(plan, state, Undercount.CREDIT).orElseThrow(),
                word(plan, state, TopKRewrite.PACKETS).orElseThrow());
    }

    private static OptionalInt word(Plan plan, StateLayout state, FoldCall unnamed) {
        return plan.folds().stream()
                .filter(call -> Sharing.unnamed(call).equals(unnamed))
                .mapToInt(state::firstWordOf)
                .findFirst();
    }

    /** Returns how to take the lightest groups out. It is empty if the query keeps all groups. */
    Optional<LightestEviction> lightest() {
        return heavy.map(words -> new LightestEviction(words.weight, words.credit, words.packets));
    }

    /**
     * Returns the word that reports groups without room. It is empty if they are not reported, or
     * if no group is heavy.
     */
    OptionalInt creditWord() {
        return creditWord;
    }

    /** Returns whether packets go to panes by their time even without ticks. */
    boolean arePaned() {
        return !groups || window.isPresent();
    }

    /** Returns the stride of rows if panes hold rows, otherwise 0. */
    int rowBytes() {
        return rowBytes;
    }

    List<EntryLayout> tables() {
        return tables;
    }

    PaneShape of(StateOptions options) {
        if (window.isPresent()) {
            Window w = window.get();
            // The panes that a window's packets may fall in, one that has begun and one that is
            // emptied.
            long panes = (w.sizeNs() + options.delayNs()) / w.paneNs() + 2;
            return shape(w.sizeNs(), w.slideNs(), w.offsetNs(), w.paneNs(), false, panes);
        }
        long ns = groups ? options.tickNs() : ROWS_NS;
        return shape(ns, ns, 0, ns, true, 1);
    }

    private PaneShape shape(
            long sizeNs, long slideNs, long offsetNs, long paneNs, boolean clips, long panes) {
        int most = (int) Math.min(panes, Integer.MAX_VALUE);
        Optional<TopKShape> shape = heavy.map(words -> words.shape(most));
        return new PaneShape(
                sizeNs,
                slideNs,
                offsetNs,
                paneNs,
                clips,
                tables,
                tablesOfFamily,
                rowBytes,
                shape,
                creditWord);
    }
}
