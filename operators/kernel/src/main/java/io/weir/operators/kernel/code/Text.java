package io.weir.operators.kernel.code;

import java.util.ArrayList;
import java.util.List;

/** Small rules of Java source. */
final class Text {
    private static final int LONGEST_CHAIN = 32;

    private Text() {}

    static String number(long value) {
        return value == Long.MIN_VALUE
                ? "Long.MIN_VALUE"
                : value < 0 ? "(" + value + "L)" : value + "L";
    }

    static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "Double.longBitsToDouble(" + Double.doubleToLongBits(value) + "L)";
        }
        return Double.compare(value, 0) < 0 ? "(" + value + ")" : Double.toString(value);
    }

    /** Returns the expression for an address some bytes on. */
    static String at(String base, long offset) {
        return offset == 0 ? base : base + " + " + offset;
    }

    /** Returns a conditional expression. It is shorter if a branch is never taken. */
    static String choose(String condition, String then, String otherwise) {
        if (then == null || then.equals(otherwise) || condition.equals("true")) {
            return then;
        } else if (condition.equals("false")) {
            return otherwise;
        } else if (then.equals("true") && otherwise.equals("false")) {
            return condition;
        } else if (then.equals("false") && otherwise.equals("true")) {
            return not(condition);
        }
        return "(" + condition + " ? " + then + " : " + otherwise + ")";
    }

    static String not(String condition) {
        return switch (condition) {
            case "true" -> "false";
            case "false" -> "true";
            default -> "!" + condition;
        };
    }

    static String all(List<String> conditions) {
        return joined(conditions, " && ", "true", "false");
    }

    static String any(List<String> conditions) {
        return joined(conditions, " || ", "false", "true");
    }

    /** Joins the parts. Neutral parts are left out, and a deciding part replaces all. */
    private static String joined(
            List<String> conditions, String sign, String neutral, String deciding) {
        if (conditions.contains(deciding)) {
            return deciding;
        }
        List<String> parts =
                conditions.stream().filter(c -> !c.equals(neutral)).distinct().toList();
        return parts.isEmpty() ? neutral : joined(parts, sign);
    }

    /** Splits long chains into groups of groups, because Janino recurses once for each link. */
    private static String joined(List<String> parts, String sign) {
        if (parts.size() == 1) {
            return parts.get(0);
        } else if (parts.size() <= LONGEST_CHAIN) {
            return "(" + String.join(sign, parts) + ")";
        }
        List<String> groups = new ArrayList<>();
        for (int from = 0; from < parts.size(); from += LONGEST_CHAIN) {
            int to = Math.min(parts.size(), from + LONGEST_CHAIN);
            groups.add(joined(parts.subList(from, to), sign));
        }
        return joined(groups, sign);
    }

    /** Removes the parentheses around the whole expression. */
    static String unwrap(String code) {
        if (!code.startsWith("(") || !code.endsWith(")")) {
            return code;
        }
        int depth = 0;
        for (int i = 0; i < code.length() - 1; i++) {
            depth += code.charAt(i) == '(' ? 1 : code.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return code;
            }
        }
        return code.substring(1, code.length() - 1);
    }
}
