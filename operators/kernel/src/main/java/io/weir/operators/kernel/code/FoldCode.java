package io.weir.operators.kernel.code;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/** Updates and merges of folds as statements. */
final class FoldCode {
    private FoldCode() {}

    /** Access to the state words of a fold, in locals or in memory. */
    interface Words {
        String load(int word);

        void store(Block block, int word, String code);

        /** Adds to a word. */
        default void add(Block block, int word, String more) {
            store(block, word, "(" + load(word) + " + " + more + ")");
        }

        /** Returns whether each load costs time. */
        boolean areInMemory();
    }

    /** Whole words at a constant distance from an address. */
    static Words memory(Fold fold, String base, int offset) {
        return new Words() {
            @Override
            public String load(int word) {
                return Value.load(fold.state().get(word).kind(), at(word));
            }

            @Override
            public void store(Block block, int word, String code) {
                block.line(Value.store(fold.state().get(word).kind(), at(word), code));
            }

            private String at(int word) {
                return Text.at(base, offset + (long) word * Long.BYTES);
            }

            @Override
            public boolean areInMemory() {
                return true;
            }
        };
    }

    /**
     * Accesses the words of an entry by its layout.
     *
     * @param masked whether nothing is added if {@code away} is -1
     * @param added receives each addition and its word
     */
    static Words entry(
            Fold fold,
            TableCode table,
            int firstWord,
            Names names,
            BooleanSupplier masked,
            ObjIntConsumer<String> added) {
        return new Words() {
            private String at(int word) {
                return Text.at("slot", table.layout().offset(firstWord + word));
            }

            @Override
            public String load(int word) {
                return table.layout().isNarrow(firstWord + word)
                        ? "(Memory.getInt(" + at(word) + ") & 0xffffffffL)"
                        : Value.load(fold.state().get(word).kind(), at(word));
            }

            @Override
            public void store(Block block, int word, String code) {
                if (!table.layout().isNarrow(firstWord + word)) {
                    block.line(Value.store(fold.state().get(word).kind(), at(word), code));
                    return;
                }
                String sum = names.fresh(fold.state().get(word).name());
                block.line("int " + sum + " = (int) (" + Text.unwrap(code) + ");");
                block.line("Memory.putInt(" + at(word) + ", " + sum + ");");
                if (table.layout().isCount(firstWord + word)) {
                    block.line(TableCode.HIGH + " |= " + sum + ";");
                }
            }

            @Override
            public void add(Block block, int word, String more) {
                added.accept(more, firstWord + word);
                String here = masked.getAsBoolean() ? "(" + more + " & ~away)" : more;
                store(block, word, "(" + load(word) + " + " + here + ")");
            }

            @Override
            public boolean areInMemory() {
                return true;
            }
        };
    }

    /** Words in locals of these names. */
    static Words locals(List<String> names) {
        return new Words() {
            @Override
            public String load(int word) {
                return names.get(word);
            }

            @Override
            public void store(Block block, int word, String code) {
                String name = names.get(word);
                String more = name + " + ";
                String text = Text.unwrap(code);
                block.line(
                        text.startsWith(more)
                                ? name + " += " + text.substring(more.length()) + ";"
                                : name + " = " + text + ";");
            }

            @Override
            public boolean areInMemory() {
                return false;
            }
        };
    }

    /**
     * Writes assignments that happen at once. All their code is in {@code block}.
     *
     * @param others values of arguments, or of the other state, by name
     */
    static void assign(
            Fold fold,
            List<Assignment> assignments,
            Words words,
            Function<Expr.Variable, Value> others,
            Expressions ofKernel,
            Block block,
            Names names) {
        Map<String, Integer> reads = reads(assignments);
        Map<String, Value> known = new HashMap<>();
        Variables variables =
                variables(
                        v ->
                                v.scope() == Scope.STATE
                                        ? known.computeIfAbsent(
                                                v.name(),
                                                n ->
                                                        read(
                                                                fold,
                                                                n,
                                                                reads.get(n) > 1,
                                                                words,
                                                                block,
                                                                names))
                                        : others.apply(v));
        Expressions expressions = ofKernel.within(block).with(variables);
        if (addsOnly(fold, assignments)) {
            for (Assignment assignment : assignments) {
                String more = expressions.value(added(assignment)).code();
                words.add(block, indexOf(fold, assignment.state()), more);
            }
            return;
        }
        List<String> codes = new ArrayList<>();
        for (Assignment assignment : assignments) {
            codes.add(expressions.value(assignment.value()).code());
        }
        boolean apart = readsWhatIsWritten(assignments);
        for (int i = 0; apart && i < codes.size(); i++) {
            Kind kind = fold.state().get(indexOf(fold, assignments.get(i).state())).kind();
            String local = names.fresh("new_" + assignments.get(i).state());
            String type = Value.of(kind, "").javaType();
            block.line(type + " " + local + " = " + Text.unwrap(codes.get(i)) + ";");
            codes.set(i, local);
        }
        for (int i = 0; i < codes.size(); i++) {
            int word = indexOf(fold, assignments.get(i).state());
            words.store(block, word, codes.get(i));
        }
    }

    private static Value read(
            Fold fold, String name, boolean often, Words words, Block block, Names names) {
        int word = indexOf(fold, name);
        Kind kind = fold.state().get(word).kind();
        String code = words.load(word);
        if (often && words.areInMemory()) {
            String local = names.fresh(name + "_so_far");
            block.line(Value.of(kind, "").javaType() + " " + local + " = " + code + ";");
            code = local;
        }
        return Value.of(kind, code);
    }

    /** Returns whether an assignment reads a word that an earlier one has written. */
    private static boolean readsWhatIsWritten(List<Assignment> assignments) {
        for (int i = 1; i < assignments.size(); i++) {
            for (int before = 0; before < i; before++) {
                Map<String, Integer> reads = reads(List.of(assignments.get(i)));
                if (reads.containsKey(assignments.get(before).state())) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether all assignments only add to whole words, and the added values read none of
     * them.
     */
    static boolean addsOnly(Fold fold, List<Assignment> assignments) {
        return assignments.stream()
                .allMatch(
                        a ->
                                added(a) != null
                                        && reads(List.of(a)).size() == 1
                                        && reads(List.of(a)).get(a.state()) == 1
                                        && fold.state().get(indexOf(fold, a.state())).kind()
                                                == Kind.BIGINT);
    }

    /** Returns the value that an assignment adds to its word; null if it does something else. */
    private static Expr added(Assignment assignment) {
        boolean adds =
                assignment.value() instanceof Expr.Call sum
                        && sum.function().name().equals("+")
                        && sum.arguments().get(0) instanceof Expr.Variable mine
                        && mine.scope() == Scope.STATE
                        && mine.name().equals(assignment.state());
        return adds ? ((Expr.Call) assignment.value()).arguments().get(1) : null;
    }

    /** Counts how often each state word is read. */
    static Map<String, Integer> reads(List<Assignment> assignments) {
        Map<String, Integer> reads = new HashMap<>();
        assignments.forEach(assignment -> count(assignment.value(), reads));
        return reads;
    }

    private static void count(Expr expr, Map<String, Integer> reads) {
        if (expr instanceof Expr.Variable variable && variable.scope() == Scope.STATE) {
            reads.merge(variable.name(), 1, Integer::sum);
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> count(argument, reads));
        }
    }

    /**
     * Returns whether a word may be a count of four bytes. It is 0 and then 1, or it is a count
     * that only the result reads.
     */
    static boolean isCount(Fold fold, StateWord word) {
        if (word.kind() != Kind.BIGINT || !Literal.of(0L).equals(word.initial())) {
            return false;
        }
        Expr update =
                fold.update().stream()
                        .filter(a -> a.state().equals(word.name()))
                        .findFirst()
                        .map(Assignment::value)
                        .orElse(word.mine());
        if (fold.merge().isEmpty() && update.equals(Literal.of(1L))) {
            return true;
        }
        long readByOthers =
                fold.update().stream()
                        .filter(a -> !a.state().equals(word.name()) && mentions(a, word))
                        .count();
        return counts(update, word)
                && readByOthers == 0
                && (fold.merge().isEmpty() || onlyAdds(fold, word));
    }

    /**
     * Returns whether an update adds one, always or under a condition that does not read the word.
     */
    private static boolean counts(Expr update, StateWord word) {
        Expr more = sum(word.mine(), Literal.of(1L));
        return update.equals(more)
                || update instanceof Expr.Call choice
                        && choice.function().equals(Functions.CASE)
                        && !mentions(choice.arguments().get(0), word.name())
                        && choice.arguments()
                                .subList(1, choice.arguments().size())
                                .equals(List.of(more, word.mine()));
    }

    /**
     * Returns whether a merge only adds a whole word to the other's, starting from 0, and nothing
     * else reads the word.
     */
    static boolean onlyAdds(Fold fold, StateWord word) {
        if (word.kind() != Kind.BIGINT || !Literal.of(0L).equals(word.initial())) {
            return false;
        }
        Assignment merge = new Assignment(word.name(), sum(word.mine(), word.other()));
        return fold.merge().contains(merge)
                && fold.merge().stream().allMatch(a -> a.equals(merge) || !mentions(a, word));
    }

    private static Expr sum(Expr left, Expr right) {
        return Functions.call("+", left, right);
    }

    private static boolean mentions(Assignment assignment, StateWord word) {
        return mentions(assignment.value(), word.name());
    }

    private static boolean mentions(Expr expr, String name) {
        return expr instanceof Expr.Variable variable
                ? variable.name().equals(name)
                : expr instanceof Expr.Call call
                        && call.arguments().stream().anyMatch(part -> mentions(part, name));
    }

    static int indexOf(Fold fold, String name) {
        for (int w = 0; w < fold.state().size(); w++) {
            StateWord word = fold.state().get(w);
            if (word.name().equals(name)) {
                return w;
            }
        }
        throw new IllegalArgumentException(fold.name() + " has no state " + name);
    }

    /** Returns variables that may all change from packet to packet. */
    static Variables variables(Function<Expr.Variable, Value> values) {
        return new Variables() {
            @Override
            public Value value(Expr.Variable variable) {
                return values.apply(variable);
            }

            @Override
            public boolean isPerPacket(Expr.Variable variable) {
                return true;
            }
        };
    }
}
