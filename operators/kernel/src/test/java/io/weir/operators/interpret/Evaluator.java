package io.weir.operators.interpret;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Logarithm;
import io.weir.operators.graph.Rounding;
import java.math.BigInteger;
import java.util.List;

/**
 * The meaning of expressions over boxed values: null, Boolean, Long, Double, Inet, String. Written
 * to be read, not to be fast.
 */
public final class Evaluator {
    private Evaluator() {}

    /** Values of variables. */
    public interface Values {
        Object of(Expr.Variable variable);
    }

    public static Object evaluate(Expr expr, Values values) {
        if (expr instanceof Expr.Literal literal) {
            return literal.value();
        } else if (expr instanceof Expr.Variable variable) {
            return values.of(variable);
        }
        Expr.Call call = (Expr.Call) expr;
        return switch (call.function().name()) {
            case "AND" -> and(call.arguments(), values);
            case "OR" -> or(call.arguments(), values);
            case "NOT" -> not((Boolean) evaluate(call.arguments().get(0), values));
            case "IS NULL" -> evaluate(call.arguments().get(0), values) == null;
            case "CASE" -> choose(call.arguments(), values);
            default -> strict(call, values);
        };
    }

    /** Returns whether a condition is true. NULL is not true. */
    public static boolean isTrue(Expr condition, Values values) {
        return Boolean.TRUE.equals(evaluate(condition, values));
    }

    private static Boolean and(List<Expr> conditions, Values values) {
        boolean unknown = false;
        for (Expr condition : conditions) {
            Object value = evaluate(condition, values);
            if (Boolean.FALSE.equals(value)) {
                return false;
            }
            unknown |= value == null;
        }
        return unknown ? null : true;
    }

    private static Boolean or(List<Expr> conditions, Values values) {
        boolean unknown = false;
        for (Expr condition : conditions) {
            Object value = evaluate(condition, values);
            if (Boolean.TRUE.equals(value)) {
                return true;
            }
            unknown |= value == null;
        }
        return unknown ? null : false;
    }

    private static Boolean not(Boolean value) {
        return value == null ? null : !value;
    }

    private static Object choose(List<Expr> parts, Values values) {
        for (int i = 0; i + 1 < parts.size(); i += 2) {
            if (isTrue(parts.get(i), values)) {
                return evaluate(parts.get(i + 1), values);
            }
        }
        return evaluate(parts.get(parts.size() - 1), values);
    }

    private static Object strict(Expr.Call call, Values values) {
        Object[] arguments =
                call.arguments().stream().map(a -> evaluate(a, values)).toArray(Object[]::new);
        for (Object argument : arguments) {
            if (argument == null) {
                return null;
            }
        }
        if (call.function().plain().isPresent()) {
            return call.function().plain().get().of(arguments);
        }
        String name = call.function().name();
        if (name.startsWith(Functions.CHECKED)) {
            return checked(name.substring(Functions.CHECKED.length()), arguments);
        }
        Object first = arguments[0];
        if (name.equals("in_subnet")) {
            return inSubnet((Inet) first, (Inet) arguments[1], (Long) arguments[2]);
        } else if (arguments.length == 1) {
            return unary(name, first);
        } else if (name.equals("round")) {
            return Rounding.round((Double) first, (Long) arguments[1]);
        } else if (first instanceof Double a) {
            return reals(name, a, (Double) arguments[1]);
        } else if (first instanceof Long a) {
            return longs(name, a, (Long) arguments[1]);
        } else if (first instanceof Inet a) {
            return ordered(name, a.compareTo((Inet) arguments[1]));
        }
        if (first instanceof String a) {
            return ordered(name, a.compareTo((String) arguments[1]));
        }
        return name.equals("=") == first.equals(arguments[1]);
    }

    /** Returns null if it is not a number of 64 bits, or no number. */
    private static Object checked(String name, Object[] arguments) {
        BigInteger a = big((Long) arguments[0]);
        BigInteger b = arguments.length == 1 ? BigInteger.ONE : big((Long) arguments[1]);
        if (name.equals("/") && b.signum() == 0) {
            return null;
        }
        BigInteger value =
                switch (name) {
                    case "+" -> a.add(b);
                    case "-" -> a.subtract(b);
                    case "*" -> a.multiply(b);
                    case "/" -> a.divide(b);
                    case "negate" -> a.negate();
                    case "abs" -> a.abs();
                    default -> throw new IllegalArgumentException(name);
                };
        return isBeyond(value) ? null : (Object) value.longValue();
    }

    private static Object unary(String name, Object value) {
        if (value instanceof Double v) {
            return unaryReal(name, v);
        }
        return switch (name) {
            case "negate" -> -(Long) value;
            case "negate_overflows" -> (Long) value == Long.MIN_VALUE;
            case "abs" -> Math.abs((Long) value);
            case "bitnot" -> -1 - (Long) value;
            case "to_double" -> ((Long) value).doubleValue();
            case "to_bigint" -> Boolean.TRUE.equals(value) ? 1L : 0L;
            case "nanoseconds" -> value;
            case "family" -> (long) ((Inet) value).family();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Object unaryReal(String name, double value) {
        return switch (name) {
            case "negate" -> -value;
            case "abs" -> Math.abs(value);
            case "to_bigint" -> (long) value;
            case "sqrt" -> Math.sqrt(value);
            case "ln" -> Math.log(value);
            case "log2" -> Logarithm.base2(value);
            case "exp" -> Math.exp(value);
            case "floor" -> Math.floor(value);
            case "ceil" -> Math.ceil(value);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static boolean isBeyond(BigInteger value) {
        return value.bitLength() >= Long.SIZE;
    }

    private static Object longs(String name, long a, long b) {
        return switch (name) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> b == 0 ? null : (Object) (a / b);
            case "%" -> b == 0 ? null : (Object) (a % b);
            case "bitand" -> a & b;
            case "plus_overflows" -> isBeyond(big(a).add(big(b)));
            case "minus_overflows" -> isBeyond(big(a).subtract(big(b)));
            case "divide_overflows" -> b == -1 && isBeyond(big(a).negate());
            case "times_overflows" -> isBeyond(big(a).multiply(big(b)));
            case "bitor" -> a | b;
            case "bitxor" -> a ^ b;
            case "<<" -> a << b;
            case ">>" -> a >> b;
            default -> ordered(name, Long.compare(a, b));
        };
    }

    private static Object reals(String name, double a, double b) {
        return switch (name) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> b == 0 ? null : (Object) (a / b);
            case "power" -> Math.pow(a, b);
            case "=" -> a == b;
            case "<>" -> a != b;
            case "<" -> a < b;
            case "<=" -> a <= b;
            case ">" -> a > b;
            case ">=" -> a >= b;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static boolean ordered(String name, int comparison) {
        return switch (name) {
            case "=" -> comparison == 0;
            case "<>" -> comparison != 0;
            case "<" -> comparison < 0;
            case "<=" -> comparison <= 0;
            case ">" -> comparison > 0;
            case ">=" -> comparison >= 0;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static boolean inSubnet(Inet address, Inet network, long prefix) {
        if (address.family() != network.family()) {
            return false;
        }
        int skipped = address.family() == 4 ? 96 : 0;
        for (int bit = 0; bit < prefix; bit++) {
            if (bit(address, skipped + bit) != bit(network, skipped + bit)) {
                return false;
            }
        }
        return true;
    }

    private static long bit(Inet address, int index) {
        return index < 64
                ? address.high() >>> (63 - index) & 1
                : address.low() >>> (127 - index) & 1;
    }
}
