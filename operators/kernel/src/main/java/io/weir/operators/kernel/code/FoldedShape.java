package io.weir.operators.kernel.code;

import io.weir.operators.gpv.TupleMatch;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An entry is the fold of the packets of a GPV in the pane. Without keys there is one group, and an
 * entry is the fold of all packets between two changes of the pane.
 */
final class FoldedShape implements AggregateCode.Shape {
    private final AggregateCode code;
    private final Input input;
    private final Block before;
    private final Block after;
    private final String packets;
    private final boolean total;

    /** The folds whose condition is not tested in the loop. */
    private final Set<FoldUse> counted = new HashSet<>();

    /** Words of the folds over all packets, by fold and arguments. */
    private final Map<List<Object>, List<Value>> unfiltered = new HashMap<>();

    /**
     * @param filters whether packets are tested one by one
     */
    FoldedShape(AggregateCode code, boolean filters) {
        this.code = code;
        input = code.input;
        before = code.before;
        after = code.after;
        packets = filters ? "matched" : input.count();
        total = !code.state.hasKeys() && code.sets.isEmpty();
    }

    @Override
    public void write(List<Expr> packetFilters) {
        filter(packetFilters);
        List<String> key = code.groupKey();
        List<FoldUse> uses = code.uses(key);
        List<List<Value>> folded = new ArrayList<>();
        String matched = null;
        for (FoldUse use : uses) {
            if (use.call().distinct() && use.isConditionPerPacket()) {
                matched = times(use);
                loop(use, List.of(), List.of(), matched);
            }
            folded.add(use.call().distinct() ? List.of() : fold(use));
        }
        List<String> sums = sums(uses, folded);
        Block collected = total ? total(uses, folded) : after;
        String entry = code.batch.keep(total ? "counted" : packets);
        code.find(uses, key, entry, matched, Fold::merge);
        for (FoldUse use : uses) {
            if (!use.call().distinct()) {
                merge(use, folded.get(use.index()));
            }
        }
        if (total) {
            code.collectAlone(collected);
        } else {
            code.collect(collected, Body.Entries.GPV);
        }
        if (total) {
            code.gather.sums(packets, sums);
        } else {
            code.gather.gpvs(packets);
        }
    }

    /** Counts the packets that pass. A loop runs only if more is done with them. */
    private void filter(List<Expr> packetFilters) {
        if (packetFilters.isEmpty()) {
            return;
        }
        Optional<String> count =
                packetFilters.size() == 1 && countsOnly()
                        ? countThatPass(packetFilters.get(0))
                        : Optional.empty();
        if (count.isPresent()) {
            before.line("long matched = " + count.get() + ";");
        } else {
            code.loop();
            AggregateCode.skipUnless(packetFilters, code.expressions, input.inner());
            before.line("int matched = 0;");
            input.inner().line("matched++;");
        }
        // A total of counts stays the same if no packet matches.
        if (count.isEmpty() || !total) {
            after.braces("if (matched == 0)").line("continue;");
        }
    }

    /** Returns whether only the number of packets matters. */
    private boolean countsOnly() {
        return code.plan.folds().stream().allMatch(this::countsOnly);
    }

    private boolean countsOnly(Operator.FoldCall call) {
        boolean perPacket = call.arguments().stream().anyMatch(code.expressions::isPerPacket);
        boolean counts =
                call.distinct() || call.arguments().isEmpty() && FoldUse.isCount(call.fold());
        return counts && !perPacket && call.filter().isEmpty();
    }

    private Optional<String> countThatPass(Expr condition) {
        Match match = Match.of(condition).orElse(null);
        List<String> literals = new ArrayList<>();
        Optional<String> count =
                match == null
                        ? Optional.empty()
                        : input.countOf(match, value -> noted(lanes(value), literals));
        count.ifPresent(code -> this.code.gather.match(match.column().name(), literals));
        return count;
    }

    private static String noted(String literal, List<String> literals) {
        literals.add(literal);
        return literal;
    }

    private Optional<String> count(Expr condition) {
        return Match.of(condition).flatMap(match -> input.countOf(match, this::lanes));
    }

    private String lanes(long value) {
        return code.expressions.word(TupleMatch.lanes(value), value + " in four lanes");
    }

    /**
     * Returns the locals that are added up beside the count. If one of several is no sum, the list
     * has it too.
     */
    private List<String> sums(List<FoldUse> uses, List<List<Value>> folded) {
        Set<String> sums = new LinkedHashSet<>();
        for (FoldUse use : uses) {
            List<Value> values = folded.get(use.index());
            for (int w = 0; w < values.size(); w++) {
                boolean adds = FoldCode.onlyAdds(use.fold(), use.fold().state().get(w));
                sums.add(adds ? values.get(w).code() : "");
            }
        }
        sums.remove(packets);
        return List.copyOf(sums);
    }

    /** Adds each GPV to locals, and writes the code that turns the locals into an entry. */
    private Block total(List<FoldUse> uses, List<List<Value>> folded) {
        code.start.line("long counted = 0L;");
        after.line("counted += " + packets + ";");
        // Equal sums share one local, because there are few registers.
        Map<String, String> sums = new HashMap<>(Map.of(packets, "counted"));
        Block entry = code.end.braces("if (counted > 0L)");
        Block reset = new Block();
        reset.line("counted = 0L;");
        for (FoldUse use : uses) {
            List<Value> values = folded.get(use.index());
            List<Value> totals = new ArrayList<>();
            List<String> locals = new ArrayList<>();
            List<Fold.Assignment> merges = new ArrayList<>(use.fold().merge());
            for (int w = 0; w < values.size(); w++) {
                Fold.StateWord word = use.fold().state().get(w);
                boolean adds = FoldCode.onlyAdds(use.fold(), word);
                String value = values.get(w).code();
                String local = adds ? sums.get(value) : null;
                if (local != null) {
                    merges.removeIf(merge -> merge.state().equals(word.name()));
                } else {
                    local = code.names.fresh("total_" + word.name() + use.index());
                    String initial = initial(use, w);
                    String type = values.get(w).javaType();
                    code.start.line(type + " " + local + " = " + initial + ";");
                    reset.line(local + " = " + initial + ";");
                    if (adds) {
                        sums.put(value, local);
                    }
                }
                locals.add(local);
                totals.add(Value.of(word.kind(), local));
            }
            merge(use, merges, FoldCode.locals(locals), values, after);
            folded.set(use.index(), totals);
        }
        Block collected = entry.part();
        entry.add(reset);
        return collected;
    }

    /** Folds a GPV and returns the words of its state. {@link #merge} applies the condition. */
    private List<Value> fold(FoldUse use) {
        if (use.isConditionPerPacket()) {
            return loop(use);
        }
        // The header decides once per GPV. So equal folds of queries with a shared state are
        // computed once.
        List<Object> same = List.of(use.fold(), use.call().arguments());
        List<Value> all = unfiltered.get(same);
        if (all == null) {
            all = loop(use);
            unfiltered.put(same, all);
        }
        if (isMergedWhen(use)) {
            return all;
        }
        List<Value> words = new ArrayList<>();
        for (int w = 0; w < all.size(); w++) {
            String code = Text.choose(use.condition(), all.get(w).code(), initial(use, w));
            words.add(Value.of(all.get(w).kind(), code));
        }
        return words;
    }

    /** Folds packet by packet where this is necessary. */
    private List<Value> loop(FoldUse use) {
        String times = times(use);
        List<String> locals = new ArrayList<>();
        List<Fold.Assignment> looped = new ArrayList<>(use.fold().update());
        for (int w = 0; w < use.fold().state().size(); w++) {
            String word = use.fold().state().get(w).name();
            Optional<String> sum = wholeSum(use, w);
            if (use.step(w).isPresent()) {
                locals.add(stepped(use, w, times));
                looped.removeIf(assignment -> assignment.state().equals(word));
            } else if (sum.isPresent()) {
                locals.add(code.names.fresh(word + use.index()));
                before.line("long " + locals.get(w) + " = " + sum.get() + ";");
                noteSum(locals.get(w), use);
                looped.removeIf(assignment -> assignment.state().equals(word));
            } else {
                locals.add(local(use, w));
            }
        }
        loop(use, looped, locals, times);
        List<Value> words = new ArrayList<>();
        for (int w = 0; w < locals.size(); w++) {
            words.add(Value.of(use.fold().state().get(w).kind(), locals.get(w)));
        }
        return words;
    }

    private void noteSum(String local, FoldUse use) {
        input.gather().sum(local, (Expr.Variable) use.call().arguments().get(0));
    }

    /**
     * Returns the word that is the sum of a column, if the layout allows reading it without a loop.
     */
    private Optional<String> wholeSum(FoldUse use, int w) {
        boolean whole = !use.isConditionPerPacket() && packets.equals(input.count());
        return whole
                        && use.isSum(w)
                        && use.call().arguments().get(0) instanceof Expr.Variable column
                ? input.sum(column)
                : Optional.empty();
    }

    /** Returns the number of updates. */
    private String times(FoldUse use) {
        if (!use.isConditionPerPacket()) {
            return packets;
        }
        String times = code.names.fresh("times" + use.index());
        boolean onlyCounts = use.call().distinct() || use.isCount();
        Optional<String> count =
                onlyCounts && packets.equals(input.count())
                        ? use.packetFilter().flatMap(this::count)
                        : Optional.empty();
        count.ifPresent(code -> counted.add(use));
        before.line(
                count.map(code -> "long " + times + " = " + code + ";")
                        .orElse("int " + times + " = 0;"));
        return times;
    }

    private String stepped(FoldUse use, int w, String times) {
        Expressions places =
                code.expressions.within(before).with(FoldCode.variables(use::argument));
        String step = places.value(use.step(w).get()).code();
        String sum = step.equals("1L") ? times : "(" + times + " * " + step + ")";
        String initial = initial(use, w);
        return initial.equals("0L") ? sum : "(" + initial + " + " + sum + ")";
    }

    private String initial(FoldUse use, int w) {
        Expr.Literal literal = use.fold().state().get(w).initial();
        return code.expressions.with(FoldCode.variables(use::argument)).value(literal).code();
    }

    private String local(FoldUse use, int w) {
        Fold.StateWord word = use.fold().state().get(w);
        String local = code.names.fresh(word.name() + use.index());
        String type = Value.of(word.kind(), "").javaType();
        before.line(type + " " + local + " = " + initial(use, w) + ";");
        return local;
    }

    private void loop(
            FoldUse use, List<Fold.Assignment> looped, List<String> locals, String times) {
        boolean counts = use.isConditionPerPacket() && !counted.contains(use);
        if (looped.isEmpty() && !counts) {
            return;
        }
        code.loop();
        Block inner = input.inner();
        Block block =
                counts ? inner.braces("if (" + Text.unwrap(use.condition()) + ")") : inner.part();
        if (counts) {
            block.line(times + "++;");
        }
        FoldCode.assign(
                use.fold(),
                looped,
                FoldCode.locals(locals),
                use::argument,
                code.expressions,
                block,
                code.names);
    }

    /** Merges an entry with the group. A fold without update merges as nothing. */
    private void merge(FoldUse use, List<Value> folded) {
        if (use.fold().update().isEmpty()) {
            return;
        }
        List<Value> kept = new ArrayList<>();
        for (int w = 0; w < folded.size(); w++) {
            kept.add(code.batch.keep(folded.get(w)));
        }
        boolean always = !isMergedWhen(use);
        Block block = always ? code.each : when(use);
        merge(use, use.fold().merge(), code.wordsOfEach(use, always), kept, block);
    }

    /**
     * Returns whether update tests the condition. Queries with a shared state may have many folds
     * with different filters on one key. Few filters hold, and the cache lines of the other words
     * are not touched.
     */
    private boolean isMergedWhen(FoldUse use) {
        return !total && use.headerFilter().isPresent();
    }

    private Block when(FoldUse use) {
        Expressions kept =
                code.expressions.over(
                        FoldCode.variables(v -> code.batch.keep(input.value(v))),
                        code.each,
                        code.each);
        return AggregateCode.when(kept.truth(use.headerFilter().get()), code.each);
    }

    private void merge(
            FoldUse use,
            List<Fold.Assignment> merges,
            FoldCode.Words into,
            List<Value> from,
            Block block) {
        Fold fold = use.fold();
        FoldCode.assign(
                fold,
                merges,
                into,
                v -> from.get(FoldCode.indexOf(fold, v.name())),
                code.expressions,
                block,
                code.names);
    }
}
