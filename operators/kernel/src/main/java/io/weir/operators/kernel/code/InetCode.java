package io.weir.operators.kernel.code;

import io.weir.operators.graph.Function;
import io.weir.operators.graph.Kind;
import java.util.List;

/**
 * Generates shorter code for address functions if the compiler knows the families. In a kernel for
 * one family an address is one word (IPv4) or two, and never equals one of the other family.
 */
final class InetCode {
    private InetCode() {}

    /** Returns shorter code for this call; null if the function's own code is as good. */
    static String apply(Function function, List<Value> arguments) {
        if (function.name().equals("family")) {
            return arguments.get(0).family();
        } else if (arguments.size() < 2
                || arguments.get(0).kind() != Kind.INET
                || arguments.get(1).kind() != Kind.INET) {
            return null;
        }
        Value left = arguments.get(0);
        Value right = arguments.get(1);
        boolean constant = isConstant(left.family()) && isConstant(right.family());
        if (!constant) {
            return null;
        }
        boolean same = left.family().equals(right.family());
        return switch (function.name()) {
            case "=" -> same ? equality(left, right, "==", " && ") : "false";
            case "<>" -> same ? equality(left, right, "!=", " || ") : "true";
            case "in_subnet" -> same ? null : "false";
            default -> null;
        };
    }

    private static boolean isConstant(String family) {
        return family.equals("4L") || family.equals("6L");
    }

    private static String equality(Value left, Value right, String sign, String joint) {
        String low = left.code() + " " + sign + " " + right.code();
        if (left.family().equals("4L")) {
            return "(" + low + ")";
        }
        return "(" + low + joint + left.high() + " " + sign + " " + right.high() + ")";
    }
}
