package io.weir.operators.kernel;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random folds, as users may define them. */
final class RandomFolds {
    private static final Kind[] OF_STATE = {
        Kind.BIGINT,
        Kind.BIGINT,
        Kind.BOOLEAN,
        Kind.DOUBLE,
        Kind.TIMESTAMP,
        Kind.INTERVAL,
        Kind.MACADDR
    };
    private static final Kind[] OF_ARGUMENTS = {
        Kind.BIGINT, Kind.BIGINT, Kind.TIMESTAMP, Kind.INET, Kind.BOOLEAN
    };

    private static final String[] OPERATORS = {"+", "bitor", "bitxor", "least"};

    private final Random random;

    RandomFolds(Random random) {
        this.random = random;
    }

    /** Any expressions over the state and the arguments; it cannot be merged. */
    Fold ordered() {
        List<Variable> arguments = arguments(OF_ARGUMENTS);
        List<StateWord> state = new ArrayList<>();
        for (int w = random.nextInt(4); w >= 0; w--) {
            state.add(word("w" + w, OF_STATE[random.nextInt(OF_STATE.length)]));
        }
        List<Variable> mine = state.stream().map(StateWord::mine).toList();
        List<Variable> all = new ArrayList<>(mine);
        all.addAll(arguments);
        RandomExprs over = new RandomExprs(random, all);
        List<Assignment> update = new ArrayList<>();
        for (StateWord word : state) {
            if (update.isEmpty() || random.nextInt(4) > 0) {
                update.add(new Assignment(word.name(), known(value(over, word.kind()))));
            }
        }
        Expr result = value(new RandomExprs(random, mine), state.get(0).kind());
        return new Fold("MINE", arguments, state, update, List.of(), result, true);
    }

    /** Words of which each can be merged in any order. */
    Fold merged() {
        List<Variable> arguments = arguments(new Kind[] {Kind.BIGINT});
        RandomExprs over = new RandomExprs(random, arguments);
        List<StateWord> state = new ArrayList<>();
        List<Assignment> update = new ArrayList<>();
        List<Assignment> merge = new ArrayList<>();
        for (int w = random.nextInt(4); w >= 0; w--) {
            String operator = OPERATORS[random.nextInt(OPERATORS.length)];
            StateWord word = merged("w" + w, operator);
            state.add(word);
            Expr more = known(value(over, Kind.BIGINT));
            update.add(new Assignment(word.name(), both(operator, word.mine(), more)));
            merge.add(new Assignment(word.name(), both(operator, word.mine(), word.other())));
        }
        List<Variable> mine = state.stream().map(StateWord::mine).toList();
        Expr result = value(new RandomExprs(random, mine), Kind.BIGINT);
        return new Fold("MINE", arguments, state, update, merge, result, false);
    }

    /** An expression without texts, which folds do not have. */
    private static Expr value(RandomExprs over, Kind kind) {
        Expr value = over.of(kind, 2);
        while (hasText(value)) {
            value = over.of(kind, 2);
        }
        return value;
    }

    private static boolean hasText(Expr expr) {
        return expr.type().kind() == Kind.VARCHAR
                || expr instanceof Expr.Call call
                        && call.arguments().stream().anyMatch(RandomFolds::hasText);
    }

    private static Expr both(String operator, Expr left, Expr right) {
        return operator.equals("least")
                ? Functions.call("CASE", Functions.call("<", left, right), left, right)
                : Functions.call(operator, left, right);
    }

    private List<Variable> arguments(Kind[] kinds) {
        List<Variable> arguments = new ArrayList<>();
        for (int a = random.nextInt(3); a >= 0; a--) {
            Kind kind = kinds[random.nextInt(kinds.length)];
            arguments.add(new Variable(Scope.ARGUMENT, "a" + a, new Type(kind, false)));
        }
        return arguments;
    }

    /** A word whose first value changes nothing, however many parts begin with it. */
    private StateWord merged(String name, String operator) {
        boolean zero = operator.equals("+") || operator.equals("bitxor");
        return new StateWord(name, Kind.BIGINT, Literal.of(zero ? 0L : random.nextInt(3)));
    }

    private StateWord word(String name, Kind kind) {
        Object first =
                switch (kind) {
                    case BOOLEAN -> random.nextBoolean();
                    case DOUBLE -> random.nextInt(5) / 2.0;
                    default -> random.nextInt(3) + 0L;
                };
        return new StateWord(name, kind, new Literal(first, new Type(kind, false)));
    }

    /** COALESCE(x, zero): no word is NULL. */
    private static Expr known(Expr value) {
        Kind kind = value.type().kind();
        Object zero =
                switch (kind) {
                    case BOOLEAN -> false;
                    case DOUBLE -> 0.0;
                    default -> 0L;
                };
        Expr isNull = Functions.call(Functions.IS_NULL, List.of(value));
        return Functions.call("CASE", isNull, new Literal(zero, new Type(kind, false)), value);
    }
}
