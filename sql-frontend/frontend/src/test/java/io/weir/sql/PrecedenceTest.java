package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random expressions, written with no more parentheses than precedence asks for, mean what the
 * trees do that they are written from.
 */
class PrecedenceTest {
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int NOT = 3;
    private static final int IS = 4;
    private static final int COMPARISON = 5;
    private static final int RANGE = 6;
    private static final int SHIFT = RANGE; // from left to right
    private static final int SUM = 8;
    private static final int PRODUCT = 9;
    private static final int SIGN = 10;
    private static final int ATOM = 11;

    private static final int QUERIES = 500;
    private static final int EXPRESSIONS = 4;
    private static final int DEPTH = 4;

    /** An expression: its text, how strongly its outermost operator binds, and what it is. */
    private record Tree(String text, int strength, Object value) {
        /** As it is written where at least this strength is needed. */
        String at(int least) {
            return strength >= least ? text : "(" + text + ")";
        }
    }

    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    @Test
    void parenthesesAreNeededNowhereElse() {
        for (int query = 0; query < QUERIES; query++) {
            List<Tree> trees = new ArrayList<>();
            for (int i = 0; i < EXPRESSIONS; i++) {
                trees.add(random.nextBoolean() ? number(DEPTH) : truth(DEPTH));
            }
            String sql = "SELECT " + joined(trees, 1) + " FROM packets";
            String values =
                    trees.stream()
                            .map(tree -> String.valueOf(tree.value()))
                            .collect(Collectors.joining(", ", "[", "]"));
            List<String> rows =
                    new Packets()
                            .add(0, "10.0.0.1", "10.0.0.2", "proto", 6, "tcp_flags", -3)
                            .rows(sql);
            assertEquals(List.of(values), rows, "seed " + seed + ": " + sql);
        }
    }

    private static String joined(List<Tree> trees, int least) {
        return trees.stream().map(tree -> tree.at(least)).collect(Collectors.joining(", "));
    }

    private Tree number(int depth) {
        int next = depth - 1;
        return switch (depth == 0 ? 7 : random.nextInt(9)) {
            case 0 -> infix("+", SUM, number(next), number(next), exact(BigInteger::add));
            case 1 -> infix("-", SUM, number(next), number(next), exact(BigInteger::subtract));
            case 2 -> infix("*", PRODUCT, number(next), number(next), exact(BigInteger::multiply));
            case 3 ->
                    infix(
                            "/",
                            PRODUCT,
                            number(next),
                            number(next),
                            (a, b) -> b == 0 ? null : exact(BigInteger::divide).apply(a, b));
            case 4 ->
                    infix(
                            "%",
                            PRODUCT, number(next), number(next), (a, b) -> b == 0 ? null : a % b);
            case 5 -> random.nextBoolean() ? shift(next) : choice(next);
            case 6 -> negative(number(next));
            default -> leaf();
        };
    }

    private Tree leaf() {
        long constant = random.nextInt(4);
        return switch (random.nextInt(5)) {
            case 0 -> new Tree("bytes", ATOM, 100L);
            case 1 -> new Tree("proto", ATOM, 6L);
            case 2 -> new Tree("tcp_flags", ATOM, -3L);
            case 3 -> new Tree("NULLIF(proto, 6)", ATOM, null);
            default -> new Tree(String.valueOf(constant), ATOM, constant);
        };
    }

    private Tree shift(int next) {
        return random.nextBoolean()
                ? infix("<<", SHIFT, number(next), number(next), (a, b) -> a << b)
                : infix(">>", SHIFT, number(next), number(next), (a, b) -> a >> b);
    }

    private Tree choice(int next) {
        Tree when = truth(next);
        Tree then = number(next);
        Tree otherwise = number(next);
        String text =
                "CASE WHEN " + when.text() + " THEN " + then.text() + " ELSE " + otherwise.text();
        Object value = Boolean.TRUE.equals(when.value()) ? then.value() : otherwise.value();
        return new Tree(text + " END", ATOM, value);
    }

    /** Two signs side by side would begin a comment. */
    private static Tree negative(Tree of) {
        Long value = (Long) of.value();
        String operand = of.at(SIGN);
        String text = (operand.startsWith("-") ? "- " : "-") + operand;
        Object negated = value == null ? null : exact(BigInteger::subtract).apply(0L, value);
        return new Tree(text, SIGN, negated);
    }

    /** NULL where it leaves 64 bits. */
    private static BiFunction<Long, Long, Object> exact(BinaryOperator<BigInteger> meaning) {
        return (a, b) -> {
            BigInteger value = meaning.apply(BigInteger.valueOf(a), BigInteger.valueOf(b));
            return value.bitLength() < Long.SIZE ? (Object) value.longValue() : null;
        };
    }

    /** Left-associative, and NULL where one side is. */
    private static Tree infix(
            String operator, int strength, Tree a, Tree b, BiFunction<Long, Long, Object> meaning) {
        boolean known = a.value() != null && b.value() != null;
        String text = a.at(strength) + " " + operator + " " + b.at(strength + 1);
        Object value = known ? meaning.apply((Long) a.value(), (Long) b.value()) : null;
        return new Tree(text, strength, value);
    }

    private Tree truth(int depth) {
        int next = depth - 1;
        return switch (depth == 0 ? 7 : random.nextInt(8)) {
            case 0 -> logic("OR", OR, true, truth(next), truth(next));
            case 1 -> logic("AND", AND, false, truth(next), truth(next));
            case 2 -> {
                Tree of = truth(next);
                yield new Tree("NOT " + of.at(NOT), NOT, not((Boolean) of.value()));
            }
            case 3 -> random.nextBoolean() ? is(truth(next)) : isNull(next);
            case 4 -> equality(truth(next), truth(next));
            case 5 -> infix("<", COMPARISON, number(next), number(next), (a, b) -> a < b);
            case 6 -> random.nextBoolean() ? between(next) : in(next);
            default -> constant();
        };
    }

    private Tree constant() {
        List<Boolean> values = new ArrayList<>(List.of(true, false));
        values.add(null);
        Boolean value = values.get(random.nextInt(3));
        return new Tree(value == null ? "UNKNOWN" : value.toString().toUpperCase(), ATOM, value);
    }

    /** AND and OR: decided by one side, else unknown if one is. */
    private static Tree logic(String operator, int strength, boolean decides, Tree a, Tree b) {
        String text = a.at(strength) + " " + operator + " " + b.at(strength + 1);
        boolean decided = Objects.equals(a.value(), decides) || Objects.equals(b.value(), decides);
        boolean known = a.value() != null && b.value() != null;
        return new Tree(text, strength, decided ? (Boolean) decides : known ? !decides : null);
    }

    private static Boolean not(Boolean value) {
        return value == null ? null : (Boolean) !value;
    }

    private Tree is(Tree of) {
        boolean negated = random.nextBoolean();
        boolean wanted = random.nextBoolean();
        String test = (negated ? " IS NOT " : " IS ") + (wanted ? "TRUE" : "FALSE");
        return new Tree(of.at(IS) + test, IS, Objects.equals(of.value(), wanted) != negated);
    }

    private Tree isNull(int next) {
        Tree of = random.nextBoolean() ? number(next) : truth(next);
        boolean negated = random.nextBoolean();
        String text = of.at(IS) + (negated ? " IS NOT NULL" : " IS NULL");
        return new Tree(text, IS, (of.value() == null) != negated);
    }

    private static Tree equality(Tree a, Tree b) {
        boolean known = a.value() != null && b.value() != null;
        String text = a.at(COMPARISON) + " = " + b.at(COMPARISON + 1);
        return new Tree(text, COMPARISON, known ? (Object) a.value().equals(b.value()) : null);
    }

    private Tree between(int next) {
        Tree of = number(next);
        Tree low = number(next);
        Tree high = number(next);
        boolean negated = random.nextBoolean();
        String text =
                of.at(RANGE)
                        + (negated ? " NOT BETWEEN " : " BETWEEN ")
                        + low.at(RANGE + 1)
                        + " AND "
                        + high.at(RANGE + 1);
        Tree above = infix("<=", COMPARISON, low, of, (a, b) -> a <= b);
        Tree below = infix("<=", COMPARISON, of, high, (a, b) -> a <= b);
        Boolean within = (Boolean) logic("AND", AND, false, above, below).value();
        return new Tree(text, RANGE, negated ? not(within) : within);
    }

    private Tree in(int next) {
        boolean numbers = random.nextBoolean();
        Tree of = numbers ? number(next) : truth(next);
        List<Tree> list = new ArrayList<>();
        Tree any = new Tree("FALSE", ATOM, false);
        for (int i = random.nextInt(3); i >= 0; i--) {
            Tree item = numbers ? number(next) : truth(next);
            list.add(item);
            any = logic("OR", OR, true, any, equality(of, item));
        }
        boolean negated = random.nextBoolean();
        String text = of.at(RANGE) + (negated ? " NOT IN (" : " IN (") + joined(list, 1) + ")";
        return new Tree(text, RANGE, negated ? not((Boolean) any.value()) : any.value());
    }
}
