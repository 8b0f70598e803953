package io.weir.sql.validate;

import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Bounds whole numbers that are computed from packets' columns. Stateless. */
final class Magnitude {
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
            Map.of("+", "plus_overflows", "-", "minus_overflows", "*", "times_overflows");

    private final boolean ofRows;

    /**
     * @param ofRows whether columns are those of a query's rows, which may have any value
     */
    Magnitude(boolean ofRows) {
        this.ofRows = ofRows;
    }

    /**
     * Returns whether no sum of values comes near 64 bits, in any group that a machine can count.
     */
    boolean sumFits(Expr value) {
        return bits(value) <= SUMMED_BITS;
    }

    /**
     * Returns an expression that is 1 if whole numbers that an expression adds or multiplies leave
     * 64 bits; empty: never.
     */
    Optional<Expr> wrapped(Expr expr) {
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
        if (check != null && bits(call) == Long.SIZE) {
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
        } else if (expr.type().kind() == Kind.TIMESTAMP && expr instanceof Expr.Variable) {
            return ofRows ? Long.SIZE : TIME_BITS;
        } else if (!isWhole(expr)) {
            return Long.SIZE;
        } else if (expr instanceof Expr.Literal literal) {
            return literal.value() instanceof Long n ? bits(n) : 0;
        } else if (expr instanceof Expr.Variable variable) {
            return column(variable);
        }
        Expr.Call call = (Expr.Call) expr;
        return call.function().equals(Functions.CASE) ? ofChoice(call) : ofCall(call);
    }

    private static int bits(long value) {
        return Long.SIZE
                - Long.numberOfLeadingZeros(value < 0 ? ~value : value)
                + (value < 0 ? 1 : 0);
    }

    private int column(Expr.Variable variable) {
        if (ofRows) {
            return Long.SIZE;
        }
        if (LENGTHS.contains(variable.name())) {
            return LENGTH_BITS;
        }
        boolean ofPacket =
                PacketColumns.all().stream().anyMatch(c -> c.variable().equals(variable));
        return ofPacket ? COLUMN_BITS : Long.SIZE;
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
        return switch (call.function().name()) {
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
