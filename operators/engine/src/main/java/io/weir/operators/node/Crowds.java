package io.weir.operators.node;

import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Sharing;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Groups queries that begin together into crowds. Cold; stateless. */
final class Crowds {
    /**
     * The most words of state that one kernel updates. HotSpot does not compile methods over 8,000
     * bytes, and a word takes up to 50.
     */
    private static final int MOST_WORDS = 128;

    private Crowds() {}

    /** Puts every query into one crowd. The crowds are in the order of their first queries. */
    static List<Crowd> of(List<Running> queries, Lanes lanes) {
        Map<Object, List<List<Running>>> byKey = new LinkedHashMap<>();
        for (Running running : queries) {
            Optional<Sharing.Key> key = Sharing.key(running.query());
            Object where = key.isPresent() ? Map.entry(key.get(), running.leaves()) : running;
            List<List<Running>> crowds = byKey.computeIfAbsent(where, k -> new ArrayList<>());
            place(running, crowds);
        }
        List<Crowd> made = new ArrayList<>();
        byKey.values().forEach(crowds -> crowds.forEach(c -> made.add(crowd(c, lanes))));
        return made;
    }

    private static void place(Running running, List<List<Running>> crowds) {
        for (List<Running> crowd : crowds) {
            List<Running> larger = new ArrayList<>(crowd);
            larger.add(running);
            if (words(folds(larger)) <= MOST_WORDS) {
                crowd.add(running);
                return;
            }
        }
        crowds.add(new ArrayList<>(List.of(running)));
    }

    private static int words(Set<FoldCall> folds) {
        return folds.stream().mapToInt(call -> call.fold().state().size()).sum();
    }

    private static Set<FoldCall> folds(List<Running> queries) {
        Set<FoldCall> folds = new LinkedHashSet<>();
        queries.forEach(running -> folds.addAll(Sharing.folds(running.query())));
        return folds;
    }

    private static Crowd crowd(List<Running> queries, Lanes lanes) {
        Running first = queries.get(0);
        if (queries.size() == 1) {
            Crowd alone = new Crowd(lanes, first.code);
            alone.add(first, first.code);
            return alone;
        }
        List<FoldCall> folds = List.copyOf(folds(queries));
        List<CompiledQuery> codes = new ArrayList<>();
        for (Running running : queries) {
            Query over = Sharing.over(running.query(), folds, first.query());
            codes.add(KernelCompiler.compile(over, running.code.layouts()));
        }
        Crowd crowd = new Crowd(lanes, codes.get(0));
        for (int q = 0; q < codes.size(); q++) {
            crowd.add(queries.get(q), codes.get(q));
        }
        return crowd;
    }
}
