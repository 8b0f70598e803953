package io.weir.operators.function;

import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One place of a call.
 *
 * @param kinds that are taken unchanged; others are converted to the first that they fit
 * @param hints the replacement for each refused kind
 */
public record Parameter(
        String name, List<Kind> kinds, Map<Kind, String> hints, Optional<Constant> constant) {

    /**
     * A rule for constants.
     *
     * @param required whether only a constant can stand there
     * @param sample is used while the value is still to come
     * @param rule the error's words for a value that breaks it
     * @param hint null: the function's form
     */
    public record Constant(
            boolean required, Literal sample, String rule, String hint, Predicate<Object> holds) {}

    public Parameter {
        kinds = List.copyOf(kinds);
        hints = Map.copyOf(hints);
    }

    public static Parameter of(String name, Kind... kinds) {
        return new Parameter(name, List.of(kinds), Map.of(), Optional.empty());
    }

    /** Makes a parameter of any kind. */
    public static Parameter any(String name) {
        return of(name, Kind.values());
    }

    /** Makes a parameter that is the same for all rows, and known when the query is planned. */
    public static Parameter constant(
            String name, Literal sample, String rule, Predicate<Object> holds) {
        Constant constant = new Constant(true, sample, rule, null, holds);
        Kind kind = sample.type().kind();
        return new Parameter(name, List.of(kind), Map.of(), Optional.of(constant));
    }

    /** Adds a rule for an argument that is a constant. */
    public Parameter where(String rule, Predicate<Object> holds) {
        Constant constant = new Constant(false, null, rule, null, holds);
        return new Parameter(name, kinds, hints, Optional.of(constant));
    }

    /** Adds a hint for a kind that it refuses. */
    public Parameter hinting(Kind refused, String hint) {
        Map<Kind, String> more = new EnumMap<>(Kind.class);
        more.putAll(hints);
        more.put(refused, hint);
        return new Parameter(name, kinds, more, constant);
    }

    /** Adds a hint for values that break the rule. */
    public Parameter hinting(String hint) {
        Constant old = constant.orElseThrow();
        Constant told = new Constant(old.required(), old.sample(), old.rule(), hint, old.holds());
        return new Parameter(name, kinds, hints, Optional.of(told));
    }

    /** Returns the kinds that it takes, in words: {@code a number or an interval}. */
    public String wanted() {
        if (kinds.equals(List.of(Kind.BIGINT, Kind.DOUBLE))) {
            return "a number";
        } else if (kinds.equals(List.of(Kind.BIGINT, Kind.DOUBLE, Kind.INTERVAL))) {
            return "a number or an interval";
        } else if (kinds.equals(List.of(Kind.TIMESTAMP, Kind.INTERVAL))) {
            return "a time or an interval";
        } else if (kinds.equals(List.of(Kind.INET))) {
            return "an address";
        } else if (kinds.equals(List.of(Kind.TIMESTAMP))) {
            return "a time";
        }
        return String.join(" or ", kinds.stream().map(Kind::name).toList());
    }
}
