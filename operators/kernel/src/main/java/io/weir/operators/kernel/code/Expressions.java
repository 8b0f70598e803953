package io.weir.operators.kernel.code;

import io.weir.operators.function.BindingFunctions;
import io.weir.operators.function.TableFunctions;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Function.NullRule;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.LookupTable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates expressions into Java. The compiler knows whether a value can be NULL, and tests for
 * NULL only then. Everything is total (a division is guarded). So values may be computed before it
 * is known whether they are needed.
 *
 * <p>The code goes to two places. Code that depends only on the GPV's header goes to {@code outer},
 * code that depends on the packet to {@code inner}.
 */
final class Expressions {
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d)([fhlt]?)");
    private static final Pattern CALL = Pattern.compile("[\\w.]+\\([^()]*\\)");

    private final Variables variables;
    private final Block outer;
    private final Block inner;
    private final Names names;
    private final Literals literals;
    private final String texts;
    private final IdentityHashMap<Expr, Value> bound = new IdentityHashMap<>();

    /**
     * @param literals collects literals as data; null writes them into the code, as for folds
     */
    Expressions(Variables variables, Block outer, Block inner, Names names, Literals literals) {
        this(variables, outer, inner, names, literals, "texts");
    }

    private Expressions(
            Variables variables,
            Block outer,
            Block inner,
            Names names,
            Literals literals,
            String texts) {
        this.texts = texts;
        this.variables = variables;
        this.outer = outer;
        this.inner = inner;
        this.names = names;
        this.literals = literals;
    }

    /**
     * Returns a translator with the same places, other variables and literals in the code. Folds
     * use it.
     */
    Expressions with(Variables others) {
        return new Expressions(others, outer, inner, names, null, texts);
    }

    /** Returns a translator with another input, other places and the same literals. */
    Expressions over(Variables others, Block otherOuter, Block otherInner) {
        return new Expressions(others, otherOuter, otherInner, names, literals, texts);
    }

    /** Returns a translator that keeps computed texts in this {@code SymbolSet}. */
    Expressions keeping(String symbolSet) {
        return new Expressions(variables, outer, inner, names, literals, symbolSet);
    }

    /** Returns a translator that puts all further code into one block. */
    Expressions within(Block block) {
        return new Expressions(variables, block, block, names, literals, texts);
    }

    /** Declares the readers of lookup tables, in a method with panes. */
    void declareTables(Block method) {
        literals.declareTables(method);
    }

    boolean isPerPacket(Expr expr) {
        if (expr instanceof Expr.Variable variable) {
            return variables.isPerPacket(variable);
        }
        return expr instanceof Expr.Call call
                && call.arguments().stream().anyMatch(this::isPerPacket);
    }

    /** Returns the value in words, so a VARCHAR as its number. */
    Value value(Expr expr) {
        return numbered(computed(expr));
    }

    /** Does the same in {@code inner}. A text can be computed before, but has no number before. */
    Value stored(Expr expr, String name) {
        Value value = simple(computed(expr), isPerPacket(expr), name);
        return value.isText() ? simple(numbered(value), true, name) : value;
    }

    private Value numbered(Value value) {
        return value.isText()
                ? Value.of(Kind.VARCHAR, numberOf(value)).withNull(value.nul())
                : value;
    }

    private String numberOf(Value text) {
        String number = "(long) " + texts + ".id(" + Text.unwrap(text.code()) + ")";
        return text.nul() == null ? "(" + number + ")" : Text.choose(text.nul(), "0L", number);
    }

    private Value computed(Expr expr) {
        if (expr instanceof Expr.Literal literal) {
            return literal(literal);
        } else if (expr instanceof Expr.Variable variable) {
            return variables.value(variable);
        }
        Expr.Call call = (Expr.Call) expr;
        if (BindingFunctions.isFind(call.function())) {
            return once(call, "binding");
        } else if (TableFunctions.isFind(call.function())) {
            return once(call, "row");
        } else if (call.function().nulls() != NullRule.SPECIAL) {
            return strict(call);
        } else if (call.function().equals(Functions.CASE)) {
            return choice(call);
        } else if (call.function().equals(Functions.IS_NULL)) {
            String nul = computed(call.arguments().get(0)).nul();
            return Value.of(Kind.BOOLEAN, nul == null ? "false" : nul);
        }
        return logic(call);
    }

    /** Looks something up once, however often it is used. */
    private Value once(Expr.Call call, String name) {
        Value known = bound.get(call);
        if (known == null) {
            known = simple(strict(call), isPerPacket(call), name);
            bound.put(call, known);
        }
        return known;
    }

    /** Returns a value in words that can be used twice without being computed twice. */
    Value simple(Expr expr, String name) {
        return simple(value(expr), isPerPacket(expr), name);
    }

    private Value simple(Value value, boolean perPacket, String name) {
        if (value.isSimple()) {
            return value;
        }
        Block block = perPacket ? inner : outer;
        String nul =
                value.nul() == null ? null : local(block, "boolean", value.nul(), name + "_null");
        return value.mapWords(code -> local(block, value.javaType(), code, name)).withNull(nul);
    }

    /** Does the same for a long. */
    String simple(String code, boolean perPacket, String name) {
        return local(perPacket ? inner : outer, "long", code, name);
    }

    private String local(Block block, String type, String code, String name) {
        if (Value.isSimple(code)) {
            return code;
        }
        String local = names.fresh(name);
        block.line(type + " " + local + " = " + Text.unwrap(code) + ";");
        return local;
    }

    /**
     * Returns a boolean expression that is true only if the condition is true. NULL is not true.
     */
    String truth(Expr condition) {
        return truth(condition, true);
    }

    /** Returns an expression that is true only if the condition has the wanted value. */
    private String truth(Expr condition, boolean wanted) {
        if (condition instanceof Expr.Call call) {
            if (call.function().equals(Functions.NOT)) {
                return truth(call.arguments().get(0), !wanted);
            }
            boolean and = call.function().equals(Functions.AND);
            if (and || call.function().equals(Functions.OR)) {
                List<String> parts = new ArrayList<>();
                call.arguments().forEach(a -> parts.add(hoisted(a, call, truth(a, wanted))));
                return and == wanted ? Text.all(parts) : Text.any(parts);
            }
        }
        Value value = leaf(condition);
        String code = wanted ? value.code() : Text.not(value.code());
        return value.nul() == null ? code : Text.all(List.of(Text.not(value.nul()), code));
    }

    /** Computes a part of a per-packet condition once if it is the same for the whole GPV. */
    private String hoisted(Expr part, Expr whole, String code) {
        boolean hoist = isPerPacket(whole) && !isPerPacket(part) && !Value.isSimple(code);
        return hoist ? local(outer, "boolean", code, "condition") : code;
    }

    private Value leaf(Expr condition) {
        Value known = bound.get(condition);
        if (known == null) {
            known = computed(condition);
            known =
                    known.nul() == null
                            ? known
                            : simple(known, isPerPacket(condition), "condition");
            bound.put(condition, known);
        }
        return known;
    }

    private Value logic(Expr.Call call) {
        String isTrue = truth(call, true);
        if (!call.type().nullable()) {
            return Value.of(Kind.BOOLEAN, isTrue);
        }
        Block block = isPerPacket(call) ? inner : outer;
        String known = local(block, "boolean", isTrue, "holds");
        String isFalse = local(block, "boolean", truth(call, false), "fails");
        String nul = Text.all(List.of(Text.not(known), Text.not(isFalse)));
        return Value.of(Kind.BOOLEAN, known).withNull(nul.equals("false") ? null : nul);
    }

    private Value choice(Expr.Call call) {
        List<Expr> parts = call.arguments();
        boolean twice = call.type().nullable() || call.type().kind() == Kind.INET;
        Value result = part(call, parts.size() - 1);
        for (int i = parts.size() - 3; i >= 0; i -= 2) {
            String condition = hoisted(parts.get(i), call, truth(parts.get(i)));
            if (twice) {
                Block block = isPerPacket(parts.get(i)) ? inner : outer;
                condition = local(block, "boolean", condition, "condition");
            }
            result = Value.choose(condition, part(call, i + 1), result);
        }
        return result;
    }

    private Value part(Expr.Call call, int index) {
        Expr part = call.arguments().get(index);
        Value value = computed(part);
        return isPerPacket(call) && !isPerPacket(part) ? simple(value, false, "value") : value;
    }

    private Value strict(Expr.Call call) {
        List<Value> arguments = new ArrayList<>();
        for (int i = 0; i < call.arguments().size(); i++) {
            arguments.add(part(call, i));
        }
        boolean guarded = call.function().nulls() == NullRule.STRICT_OR_ZERO_DIVISOR;
        Expr divisor = guarded ? call.arguments().get(1) : null;
        if (guarded && isOtherThanZero(divisor)) {
            // The divisor stands in the code: a division by a constant takes a few cycles, by a
            // variable dozens.
            arguments.set(1, with(variables).value(divisor));
            guarded = false;
        } else if (guarded) {
            arguments.set(1, simple(arguments.get(1), isPerPacket(divisor), "divisor"));
        }
        String beyond = beyond(call, arguments);
        List<String> nulls = new ArrayList<>();
        arguments.stream().filter(a -> a.nul() != null).forEach(a -> nulls.add(a.nul()));
        String code = InetCode.apply(call.function(), arguments);
        code = code != null ? code : apply(template(call.function(), arguments), arguments);
        if (guarded) {
            String zero = "(" + arguments.get(1).code() + " == 0)";
            nulls.add(zero);
            // Typed zeros: Janino does not widen an int that a constant condition chooses.
            code = Text.choose(zero, call.function().result() == Kind.DOUBLE ? "0.0" : "0L", code);
        }
        if (beyond != null) {
            nulls.add(beyond);
        }
        String nul = nulls.isEmpty() ? null : Text.any(nulls);
        return result(call.function(), code, arguments).withNull("false".equals(nul) ? null : nul);
    }

    /**
     * Returns a condition for a value beyond 64 bits; null if there is none. It uses arguments
     * twice.
     */
    private String beyond(Expr.Call call, List<Value> arguments) {
        if (call.function().beyond().isEmpty()) {
            return null;
        }
        for (int i = 0; i < arguments.size(); i++) {
            boolean perPacket = isPerPacket(call.arguments().get(i));
            arguments.set(i, simple(arguments.get(i), perPacket, "operand"));
        }
        return apply(call.function().beyond(), arguments);
    }

    private static boolean isOtherThanZero(Expr divisor) {
        return divisor instanceof Expr.Literal literal
                && literal.value() instanceof Number number
                && number.doubleValue() != 0;
    }

    /** Texts without numbers are equal if their strings are. */
    private static String template(Function function, List<Value> arguments) {
        String code = function.code();
        if (function.isText()) {
            return code.substring(Function.TEXT.length());
        } else if (arguments.stream().noneMatch(Value::isText)) {
            return code;
        }
        return switch (function.name()) {
            case "=" -> "$0t.equals($1t)";
            case "<>" -> "!$0t.equals($1t)";
            default -> code;
        };
    }

    /** The code of an INET consists of its family, high word and low word. */
    private Value result(Function function, String code, List<Value> arguments) {
        if (function.isText()) {
            return Value.text(code);
        }
        if (function.result() != Kind.INET) {
            return Value.of(function.result(), code);
        }
        String[] words = function.code().split("\\|");
        return Value.inet(
                apply(words[0], arguments), apply(words[1], arguments), apply(words[2], arguments));
    }

    private String apply(String template, List<Value> arguments) {
        Matcher matcher = PARAMETER.matcher(template);
        StringBuilder code = new StringBuilder();
        while (matcher.find()) {
            Value argument = arguments.get(Integer.parseInt(matcher.group(1)));
            String word =
                    switch (matcher.group(2)) {
                        case "f" -> argument.family();
                        case "h" -> argument.high();
                        case "t" -> argument.string();
                        default -> numbered(argument).code();
                    };
            matcher.appendReplacement(code, Matcher.quoteReplacement(word));
        }
        String text = matcher.appendTail(code).toString();
        return Value.isSimple(text) || CALL.matcher(text).matches() ? text : "(" + text + ")";
    }

    private Value literal(Expr.Literal literal) {
        Object value = literal.value();
        Kind kind = literal.type().kind();
        if (value == null) {
            return Value.nullOf(kind);
        } else if (value instanceof Boolean truth) {
            return Value.of(kind, truth.toString());
        } else if (value instanceof Double real) {
            return Value.of(kind, literals == null ? Text.number(real) : literals.add(real));
        } else if (value instanceof LookupTable table) {
            return Value.of(kind, Objects.requireNonNull(literals, "a fold's table").add(table));
        } else if (value instanceof String text) {
            return Value.of(kind, Objects.requireNonNull(literals, "a fold's string").add(text));
        } else if (value instanceof Inet inet) {
            String high = inet.family() == 4 ? "0L" : word(inet.high(), inet + ", high word");
            return Value.inet(inet.family() + "L", high, word(inet.low(), inet.toString()));
        }
        return Value.of(kind, word((Long) value, value.toString()));
    }

    /**
     * Returns a word as code. If literals are data, the word becomes one that is described as
     * shown.
     */
    String word(long value, String shown) {
        return literals == null ? Text.number(value) : literals.add(value, shown);
    }
}
