package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.DefinedFold;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Scope;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Fold.Assignment;
import io.weir.operators.graph.Fold.StateWord;
import io.weir.operators.graph.Function.NullRule;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.grammar.ParsedStatement;
import io.weir.sql.grammar.ParsedStatement.Assigned;
import io.weir.sql.grammar.ParsedStatement.Typed;
import io.weir.sql.grammar.ParsedStatement.Word;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.Conversions;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.Operand;
import io.weir.sql.validate.TypeNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Reads CREATE AGGREGATE. The result is a fold as the built-in aggregates are, so kernels compile
 * it in the same way.
 */
public final class AggregateClause {
    static final int MOST_ARGUMENTS = 8;
    static final int MOST_WORDS = 16;

    private static final Set<Kind> OF_STATE =
            Set.of(
                    Kind.BOOLEAN,
                    Kind.BIGINT,
                    Kind.DOUBLE,
                    Kind.TIMESTAMP,
                    Kind.INTERVAL,
                    Kind.MACADDR);

    private final Binding binding;
    private final Conversions conversions;

    public AggregateClause(Binding binding) {
        this.binding = binding;
        conversions = new Conversions(binding);
    }

    /**
     * @param sql of the statement
     */
    public DefinedAggregate of(ParsedStatement.CreateAggregate create, String sql) {
        String name = create.name().getSimple();
        checkName(create.name());
        List<Variable> arguments = arguments(create.arguments());
        List<StateWord> state = state(create.state(), arguments);
        FoldScope update = scope("UPDATE", true, state).with(arguments);
        FoldScope merge = scope("MERGE", true, state).withOther(others(state));
        FoldScope result = scope("RETURN", false, state);
        Fold fold =
                new Fold(
                        name.toUpperCase(Locale.ROOT),
                        arguments,
                        state,
                        assignments(create.update(), state, update),
                        assignments(create.merge(), state, merge),
                        bound(create.result(), result),
                        create.merge().isEmpty());
        checkMerged(create, fold);
        return new DefinedAggregate(name, sql, DefinedFold.of(fold));
    }

    private FoldScope scope(String clause, boolean wraps, List<StateWord> state) {
        return new FoldScope(binding, clause, wraps)
                .with(state.stream().map(StateWord::mine).toList());
    }

    private static List<Variable> others(List<StateWord> state) {
        return state.stream().map(StateWord::other).toList();
    }

    private void checkName(SqlIdentifier at) {
        Optional<FunctionDef> builtIn = FunctionRegistry.loaded().find(at.getSimple());
        if (builtIn.isPresent()) {
            throw invalid(
                    at,
                    "there is a function " + builtIn.get().name() + " already",
                    "choose another name; SHOW FUNCTIONS lists those that are there");
        }
    }

    private List<Variable> arguments(List<Typed> typed) {
        if (typed.size() > MOST_ARGUMENTS) {
            throw invalid(
                    typed.get(MOST_ARGUMENTS).name(),
                    "an aggregate has at most " + MOST_ARGUMENTS + " arguments",
                    null);
        }
        List<Variable> arguments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Typed one : typed) {
            checkNew(one.name(), names);
            Kind kind = TypeNames.kind(binding, one.type());
            if (kind == Kind.VARCHAR) {
                throw binding.notSupported(
                        one.type(),
                        "a text as an argument",
                        "compare it outside: FILTER (WHERE …)");
            }
            arguments.add(
                    new Variable(Scope.ARGUMENT, one.name().getSimple(), new Type(kind, false)));
        }
        return arguments;
    }

    private List<StateWord> state(List<Word> words, List<Variable> arguments) {
        if (words.size() > MOST_WORDS) {
            throw invalid(
                    words.get(MOST_WORDS).name(),
                    "a state has at most " + MOST_WORDS + " words",
                    null);
        }
        Set<String> names = new HashSet<>();
        arguments.forEach(argument -> names.add(argument.name()));
        List<StateWord> state = new ArrayList<>();
        for (Word word : words) {
            checkNew(word.name(), names);
            Kind kind = TypeNames.kind(binding, word.type());
            if (!OF_STATE.contains(kind)) {
                throw binding.notSupported(
                        word.type(),
                        "the type " + kind + " in STATE",
                        "a word of it is BOOLEAN, BIGINT, DOUBLE, TIMESTAMP, INTERVAL or MACADDR");
            }
            Expr first = converted(word.first(), new ConstantScope(binding, "STATE"), kind);
            if (!(first instanceof Literal literal) || literal.value() == null) {
                throw invalid(word.first(), "a word begins with a constant", null);
            }
            state.add(new StateWord(word.name().getSimple(), kind, literal));
        }
        return state;
    }

    private void checkNew(SqlIdentifier at, Set<String> names) {
        if (!names.add(at.getSimple())) {
            throw invalid(at, "there are two of the name " + at.getSimple(), null);
        }
    }

    private List<Assignment> assignments(
            List<Assigned> assigned, List<StateWord> state, FoldScope scope) {
        List<Assignment> assignments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Assigned one : assigned) {
            StateWord word = word(one.name(), state);
            checkNew(one.name(), names);
            Expr value = converted(one.value(), scope, word.kind());
            if (canBeNull(value)) {
                throw binding.mismatch(
                        one.value(),
                        "this can be NULL, and no word of a state is",
                        "COALESCE(x, 0) is a value in its place; CASE needs ELSE");
            }
            assignments.add(new Assignment(word.name(), value));
        }
        return assignments;
    }

    /** COALESCE(x, 0) is not NULL: it is CASE WHEN x IS NOT NULL THEN x ELSE 0 END. */
    private static boolean canBeNull(Expr expr) {
        if (!expr.type().nullable()) {
            return false;
        }
        if (!(expr instanceof Expr.Call call)) {
            return true;
        } else if (!call.function().equals(Functions.CASE)) {
            boolean plain = call.function().beyond().isEmpty();
            boolean byArguments = call.function().nulls() != NullRule.STRICT_OR_ZERO_DIVISOR;
            return !plain
                    || !byArguments
                    || call.arguments().stream().anyMatch(AggregateClause::canBeNull);
        }
        List<Expr> parts = call.arguments();
        for (int i = 1; i < parts.size(); i += 2) {
            Expr value = parts.get(i);
            Expr isNull = Functions.call(Functions.IS_NULL, List.of(value));
            boolean known = parts.get(i - 1).equals(Functions.call(Functions.NOT, List.of(isNull)));
            if (!known && canBeNull(value)) {
                return true;
            }
        }
        return canBeNull(parts.get(parts.size() - 1));
    }

    private StateWord word(SqlIdentifier at, List<StateWord> state) {
        List<String> names = state.stream().map(StateWord::name).toList();
        int index = names.indexOf(at.getSimple());
        if (index < 0) {
            throw binding.error(
                    ErrorCode.UNKNOWN_COLUMN,
                    at,
                    "STATE has no word " + at.getSimple(),
                    Suggestion.hint(
                            at.getSimple(), names, "its words are " + String.join(", ", names)));
        }
        return state.get(index);
    }

    private Expr converted(SqlNode node, ConstantScope scope, Kind kind) {
        Operand operand = new Operand(bound(node, scope), node);
        return conversions
                .convert(operand, kind)
                .orElseThrow(
                        () ->
                                binding.mismatch(
                                        node,
                                        "this is "
                                                + operand.kind()
                                                + ", and "
                                                + kind
                                                + " is wanted",
                                        null));
    }

    private Expr bound(SqlNode node, ConstantScope scope) {
        Expr expr = new ExpressionBinder(binding, scope).bind(node);
        if (comparesTexts(expr)) {
            throw binding.notSupported(
                    node, "a text in an aggregate", "compare it outside: FILTER (WHERE …)");
        }
        return binding.taken(node, expr);
    }

    /** A text that becomes an address or a time is none. */
    private static boolean comparesTexts(Expr expr) {
        return expr instanceof Expr.Call call
                && call.arguments().stream()
                        .anyMatch(a -> a.type().kind() == Kind.VARCHAR || comparesTexts(a));
    }

    /** A word that UPDATE changes and MERGE forgets would be that of one state by chance. */
    private void checkMerged(ParsedStatement.CreateAggregate create, Fold fold) {
        if (fold.merge().isEmpty()) {
            return;
        }
        Set<String> merged = new HashSet<>();
        fold.merge().forEach(assignment -> merged.add(assignment.state()));
        for (Assignment assignment : fold.update()) {
            if (!merged.contains(assignment.state())) {
                throw invalid(
                        create.merge().get(0).name(),
                        "MERGE leaves " + assignment.state() + " out, which UPDATE changes",
                        "MERGE … , " + assignment.state() + " = …");
            }
        }
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }
}
