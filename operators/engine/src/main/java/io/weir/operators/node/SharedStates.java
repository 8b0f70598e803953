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
import java.util.function.Consumer;

/** Groups queries that begin together into shared states. Cold; stateless. */
final class SharedStates {
    /**
     * The most words of state that one kernel updates. HotSpot does not compile methods over 8,000
     * bytes, and a word takes up to 50.
     */
    private static final int MOST_WORDS = 128;

    private SharedStates() {}

    /**
     * Puts every query into one shared state. The shared states are in the order of their first
     * queries.
     *
     * @param overflowed a pipeline's thread reports a shared state there that must fail
     */
    static List<SharedState> of(
            List<RunningQuery> queries, EngineContext engine, Consumer<SharedState> overflowed) {
        Map<Object, List<List<RunningQuery>>> byKey = new LinkedHashMap<>();
        for (RunningQuery running : queries) {
            Optional<Sharing.Key> key = Sharing.key(running.query());
            Object where = key.isPresent() ? Map.entry(key.get(), running.leaves()) : running;
            List<List<RunningQuery>> sharedStates =
                    byKey.computeIfAbsent(where, k -> new ArrayList<>());
            place(running, sharedStates);
        }
        List<SharedState> made = new ArrayList<>();
        byKey.values()
                .forEach(
                        sharedStates ->
                                sharedStates.forEach(
                                        c -> made.add(sharedState(c, engine, overflowed))));
        return made;
    }

    private static void place(RunningQuery running, List<List<RunningQuery>> sharedStates) {
        for (List<RunningQuery> sharedState : sharedStates) {
            List<RunningQuery> larger = new ArrayList<>(sharedState);
            larger.add(running);
            if (words(folds(larger)) <= MOST_WORDS) {
                sharedState.add(running);
                return;
            }
        }
        sharedStates.add(new ArrayList<>(List.of(running)));
    }

    private static int words(Set<FoldCall> folds) {
        return folds.stream().mapToInt(call -> call.fold().state().size()).sum();
    }

    private static Set<FoldCall> folds(List<RunningQuery> queries) {
        Set<FoldCall> folds = new LinkedHashSet<>();
        queries.forEach(running -> folds.addAll(Sharing.folds(running.query())));
        return folds;
    }

    private static SharedState sharedState(
            List<RunningQuery> queries, EngineContext engine, Consumer<SharedState> overflowed) {
        RunningQuery first = queries.get(0);
        if (queries.size() == 1) {
            SharedState alone = new SharedState(engine, first.code, overflowed);
            first.enter(alone, first.code);
            return alone;
        }
        List<FoldCall> folds = List.copyOf(folds(queries));
        List<CompiledQuery> codes = new ArrayList<>();
        for (RunningQuery running : queries) {
            Query over = Sharing.over(running.query(), folds, first.query());
            codes.add(KernelCompiler.compile(over, running.code.layouts()));
        }
        SharedState sharedState = new SharedState(engine, codes.get(0), overflowed);
        for (int q = 0; q < codes.size(); q++) {
            queries.get(q).enter(sharedState, codes.get(q));
        }
        return sharedState;
    }
}
