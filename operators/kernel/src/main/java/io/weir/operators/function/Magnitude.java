package io.weir.operators.function;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Bounds whole numbers that are computed from columns. Stateless. */
public final class Magnitude {
    /** A sum of 2^31 values of so many bits has 63. */
    private static final int SUMMED_BITS = 32;

    /** The most bits of a whole number in a column of packets. */
    private static final int COLUMN_BITS = 32;

    /** Lengths of packets, except jumbograms, which are too rare to matter for a sum. */
    private static final Set<String> LENGTHS = Set.of("bytes", "frame_bytes", "payload_bytes");

    private static final int LENGTH_BITS = 16;

    /** Times of packets lie within 2^62 ns of 1970. */
    private static final int TIME_BITS = 62;

    private static final Map<String, String> CHECKS =
            Map.of(
                    "+", "plus_overflows",
                    "-", "minus_overflows",
                    "*", "times_overflows",
                    "/", "divide_overflows",
                    "negate", "negate_overflows",
                    "abs", "negate_overflows");

    /** No group has so many packets: for a hundred million in a second that is three hours. */
    private static final int GROUP_BITS = 40;

    /** Nor has anybody counted so many. */
    private static final int COUNT_BITS = 52;

    private final ToIntFunction<Expr.Variable> columns;

    /**
     * @param columns bits of each column
     */
    public Magnitude(ToIntFunction<Expr.Variable> columns) {
        this.columns = columns;
    }

    /** Bits of a column of packets; of another 64. */
    public static int ofPackets(Expr.Variable column) {
        if (column.type().kind() == Kind.TIMESTAMP) {
            return TIME_BITS;
        } else if (LENGTHS.contains(column.name())) {
            return LENGTH_BITS;
        }
        boolean ofPacket = PacketColumns.all().stream().anyMatch(c -> c.variable().equals(column));
        return ofPacket ? COLUMN_BITS : Long.SIZE;
    }

    /** Bits of a number of packets. */
    public static int ofCount() {
        return COUNT_BITS;
    }

    /**
     * Bits of an aggregate's result.
     *
     * @param columns those of its arguments
     */
    public static int of(FoldCall call, ToIntFunction<Expr.Variable> columns) {
        int[] of = call.arguments().stream().mapToInt(new Magnitude(columns)::bits).toArray();
        return switch (call.fold().name()) {
            case "COUNT" -> COUNT_BITS;
            case "MIN", "MAX" -> of[0];
            // A sum that leaves 64 bits is NULL, or fits by far.
            case "SUM" -> Math.min(Long.SIZE, of[0] + GROUP_BITS);
            default -> Long.SIZE;
        };
    }

    /** Returns whether the value of a call stays within 64 bits. */
    public boolean fits(Function function, List<Expr> arguments) {
        Function checked = Functions.checked(function);
        if (checked.equals(function)) {
            return true;
        } else if (function.name().equals("/")) {
            return arguments.get(1) instanceof Expr.Literal divisor
                            && !Long.valueOf(-1).equals(divisor.value())
                    || bits(arguments.get(0)) < Long.SIZE;
        }
        return bits(Functions.call(function, arguments)) < Long.SIZE;
    }

    /** Returns the expression without checks: {@link #wrapped} has them. */
    public Expr plain(Expr expr) {
        if (!(expr instanceof Expr.Call call) || !isWhole(expr)) {
            return expr;
        }
        boolean choice = call.function().equals(Functions.CASE);
        Function function = Functions.unchecked(call.function());
        boolean same = function.equals(call.function());
        List<Expr> parts = new ArrayList<>(call.arguments());
        for (int p = 0; p < parts.size(); p++) {
            if (!choice || p % 2 == 1 || p == parts.size() - 1) {
                Expr part = plain(parts.get(p));
                same &= part == parts.set(p, part);
            }
        }
        return same ? expr : Functions.call(function, parts);
    }

    /**
     * Returns whether no sum of values comes near 64 bits, in any group that a machine can count.
     */
    public boolean sumFits(Expr value) {
        return bits(value) <= SUMMED_BITS;
    }

    /**
     * Returns an expression that is 1 if whole numbers that an expression adds or multiplies leave
     * 64 bits; empty: never.
     */
    public Optional<Expr> wrapped(Expr expr) {
        return flag(expr).map(flag -> Functions.call("to_bigint", flag));
    }

    private Optional<Expr> flag(Expr expr) {
        if (!(expr instanceof Expr.Call call) || !isWhole(expr)) {
            return Optional.empty();
        } else if (call.function().equals(Functions.CASE)) {
            return ofParts(call);
        }
        List<Expr> flags = new ArrayList<>();
        call.arguments().forEach(argument -> flag(argument).ifPresent(flags::add));
        String check = CHECKS.get(call.function().name());
        if (check != null && !fits(call.function(), call.arguments())) {
            Expr[] parts = call.arguments().stream().map(Magnitude::whole).toArray(Expr[]::new);
            flags.add(Functions.call(check, parts));
        }
        return flags.stream().reduce((a, b) -> Functions.call(Functions.OR, List.of(a, b)));
    }

    /** Returns the same for the chosen part. */
    private Optional<Expr> ofParts(Expr.Call choice) {
        List<Expr> parts = new ArrayList<>(choice.arguments());
        boolean any = false;
        for (int p = 1; p <= parts.size(); p += 2) {
            int at = Math.min(p, parts.size() - 1);
            Optional<Expr> flag = flag(parts.get(at));
            any |= flag.isPresent();
            parts.set(at, flag.orElse(Expr.Literal.of(false)));
        }
        return any ? Optional.of(Functions.call(Functions.CASE, parts)) : Optional.empty();
    }

    private static boolean isWhole(Expr expr) {
        Kind kind = expr.type().kind();
        return kind == Kind.BIGINT || kind == Kind.INTERVAL || kind == Kind.TIMESTAMP;
    }

    private static Expr whole(Expr expr) {
        return expr.type().kind() == Kind.BIGINT ? expr : Functions.call("nanoseconds", expr);
    }

    /** Returns the bits of the largest magnitude; 64 if nothing is known. */
    private int bits(Expr expr) {
        if (expr.type().kind() == Kind.BOOLEAN) {
            return 1;
        } else if (!isWhole(expr)) {
            return Long.SIZE;
        } else if (expr instanceof Expr.Literal literal) {
            return literal.value() instanceof Long n ? bits(n) : 0;
        } else if (expr instanceof Expr.Variable variable) {
            return columns.applyAsInt(variable);
        }
        Expr.Call call = (Expr.Call) expr;
        return call.function().equals(Functions.CASE) ? ofChoice(call) : ofCall(call);
    }

    private static int bits(long value) {
        return Long.SIZE
                - Long.numberOfLeadingZeros(value < 0 ? ~value : value)
                + (value < 0 ? 1 : 0);
    }

    private int ofChoice(Expr.Call choice) {
        List<Expr> parts = choice.arguments();
        int most = bits(parts.get(parts.size() - 1));
        for (int i = 1; i < parts.size(); i += 2) {
            most = Math.max(most, bits(parts.get(i)));
        }
        return most;
    }

    private int ofCall(Expr.Call call) {
        int[] of = call.arguments().stream().mapToInt(this::bits).toArray();
        return switch (Functions.unchecked(call.function()).name()) {
            case "+", "-" -> Math.min(Long.SIZE, Math.max(of[0], of[1]) + 1);
            case "*" -> Math.min(Long.SIZE, of[0] + of[1]);
            case "%" -> Math.min(of[0], of[1]);
            case "bitand" -> Math.max(of[0], of[1]);
            case "/", ">>", "negate", "abs", "to_bigint", "nanoseconds" -> of[0];
            case "family" -> 3;
            default -> Long.SIZE;
        };
    }
}
