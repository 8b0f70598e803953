package io.weir.operators.function;

import static io.weir.operators.graph.Kind.BIGINT;
import static io.weir.operators.graph.Kind.BOOLEAN;
import static io.weir.operators.graph.Kind.DOUBLE;
import static io.weir.operators.graph.Kind.INET;
import static io.weir.operators.graph.Kind.INTERVAL;
import static io.weir.operators.graph.Kind.MACADDR;
import static io.weir.operators.graph.Kind.TIMESTAMP;
import static io.weir.operators.graph.Kind.VARCHAR;

import io.weir.operators.graph.Code;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Function;
import io.weir.operators.graph.Function.NullRule;
import io.weir.operators.graph.Function.Plain;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.InetText;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.MacText;
import io.weir.operators.graph.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Functions of texts. Kernels compute them on Strings; {@link Function#TEXT} marks those. */
public final class TextLibrary implements FunctionLibrary {
    /** Two texts, one after the other; NULL if that is too long. */
    public static final Function CONCAT =
            new Function(
                    "||",
                    List.of(VARCHAR, VARCHAR),
                    VARCHAR,
                    NullRule.STRICT,
                    Function.TEXT + "$0t.concat($1t)",
                    Code.call(Texts.class, "areTooLong", "$0t", "$1t"),
                    Optional.of(PlainTexts::concat));

    public static final Function LIKE =
            test("like", call("like", "$0t", "$1t"), PlainTexts::like, VARCHAR, VARCHAR);

    /** text, pattern, escape. */
    public static final Function LIKE_ESCAPE =
            test(
                    "like_escape",
                    call("like", "$0t", "$1t", "$2t"),
                    PlainTexts::like,
                    VARCHAR,
                    VARCHAR,
                    VARCHAR);

    public static final Function TRIM =
            text("trim", "trim", a -> PlainTexts.trim(a, true, true), VARCHAR, VARCHAR);
    public static final Function TRIM_START =
            text("trim_start", "trimStart", a -> PlainTexts.trim(a, true, false), VARCHAR, VARCHAR);
    public static final Function TRIM_END =
            text("trim_end", "trimEnd", a -> PlainTexts.trim(a, false, true), VARCHAR, VARCHAR);

    private static final Function UPPER = text("upper", "upper", PlainTexts::upper, VARCHAR);
    private static final Function LOWER = text("lower", "lower", PlainTexts::lower, VARCHAR);
    private static final Function FROM =
            text("substring", "substring", PlainTexts::substring, VARCHAR, BIGINT);
    private static final Function PART =
            text("substring", "substring", PlainTexts::substring, VARCHAR, BIGINT, BIGINT);
    private static final Function LENGTH =
            Function.strict(
                    "char_length",
                    BIGINT,
                    call("length", "$0t"),
                    a -> ((String) a[0]).codePoints().count(),
                    VARCHAR);
    private static final Function POSITION =
            Function.strict(
                    "position",
                    BIGINT,
                    call("position", "$0t", "$1t"),
                    PlainTexts::position,
                    VARCHAR,
                    VARCHAR);
    private static final Function STARTS =
            test("starts_with", "$0t.startsWith($1t)", PlainTexts::starts, VARCHAR, VARCHAR);
    private static final Function ENDS =
            test("ends_with", "$0t.endsWith($1t)", PlainTexts::ends, VARCHAR, VARCHAR);
    private static final Function CONTAINS =
            test("contains", "$0t.contains($1t)", PlainTexts::contains, VARCHAR, VARCHAR);
    private static final Function REGEXP =
            test(
                    "regexp_like",
                    Code.call(Regexes.class, "matches", "$0t", "$1t"),
                    PlainTexts::regexp,
                    VARCHAR,
                    VARCHAR);

    private static final List<Function> CASTS = casts();

    /** Returns the value as rows show it; empty for a text. */
    public static Optional<Function> cast(Kind from) {
        return CASTS.stream().filter(f -> f.arguments().get(0) == from).findFirst();
    }

    private static List<Function> casts() {
        String inet = Code.call(InetText.class, "format", "(int) $0f", "$0h", "$0l");
        return List.of(
                cast(BIGINT, "Long.toString($0)", Object::toString),
                cast(DOUBLE, call("of", "$0"), a -> Texts.of((Double) a)),
                cast(BOOLEAN, call("of", "$0"), Object::toString),
                cast(TIMESTAMP, call("ofTime", "$0"), PlainTexts::time),
                cast(INTERVAL, call("ofInterval", "$0"), a -> Texts.ofInterval((Long) a)),
                cast(INET, inet, Object::toString),
                cast(MACADDR, Code.call(MacText.class, "format", "$0"), PlainTexts::mac));
    }

    private static Function cast(
            Kind kind, String code, java.util.function.Function<Object, String> plain) {
        return Function.strict(
                "to_varchar", VARCHAR, Function.TEXT + code, a -> plain.apply(a[0]), kind);
    }

    private static String call(String method, String... arguments) {
        return Code.call(Texts.class, method, arguments);
    }

    private static Function test(String name, String code, Plain plain, Kind... kinds) {
        return Function.strict(name, BOOLEAN, code, plain, kinds);
    }

    private static Function text(String name, String method, Plain plain, Kind... kinds) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < kinds.length; i++) {
            arguments.add("$" + i + (kinds[i] == VARCHAR ? "t" : ""));
        }
        String code = Function.TEXT + call(method, arguments.toArray(String[]::new));
        return Function.strict(name, VARCHAR, code, plain, kinds);
    }

    @Override
    public String topic() {
        return "Texts";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("UPPER")
                        .form("UPPER(x)", "in capitals")
                        .calls(UPPER, "x")
                        .example("UPPER('https')", "HTTPS")
                        .build(),
                FunctionBuilder.of("LOWER")
                        .form("LOWER(x)", "in small letters")
                        .calls(LOWER, "x")
                        .example("LOWER(PROTOCOL_NAME(proto))", "tcp")
                        .build(),
                FunctionBuilder.of("CHAR_LENGTH")
                        .alsoCalled("CHARACTER_LENGTH")
                        .alsoCalled("LENGTH")
                        .form("CHAR_LENGTH(x)", "how many characters")
                        .calls(LENGTH, "x")
                        .example("CHAR_LENGTH('naïve')", "5")
                        .build(),
                FunctionBuilder.of("SUBSTRING")
                        .alsoCalled("SUBSTR")
                        .form("SUBSTRING(x, first)", "from that character on; the first is 1")
                        .form("SUBSTRING(x, first, n)", "at most n characters")
                        .calls(FROM, "x", "first")
                        .calls(PART, "x", "first", "n")
                        .example("SUBSTRING('router-7', 8)", "7")
                        .example("SUBSTRING('router-7' FROM 1 FOR 6)", "router")
                        .build(),
                trim("TRIM", "TRIM(x)", "no blanks at both ends", TRIM)
                        .form("TRIM(LEADING '0' FROM x)", "others; also TRAILING, BOTH")
                        .example("TRIM('  a b ') || '.'", "a b.")
                        .example("TRIM(LEADING '0' FROM '007')", "7")
                        .code(CONCAT, LIKE, LIKE_ESCAPE)
                        .code(CASTS.toArray(Function[]::new))
                        .build(),
                trim("LTRIM", "LTRIM(x), LTRIM(x, letters)", "at the start only", TRIM_START)
                        .example("LTRIM('xxy', 'x')", "y")
                        .build(),
                trim("RTRIM", "RTRIM(x), RTRIM(x, letters)", "at the end only", TRIM_END)
                        .example("RTRIM('yxx', 'x')", "y")
                        .build(),
                FunctionBuilder.of("POSITION")
                        .form("POSITION(part IN x)", "where it begins, from 1; 0: it is not in x")
                        .calls(POSITION, "part", "x")
                        .example("POSITION('er' IN 'router')", "5")
                        .build(),
                part("STARTS_WITH", "whether x begins with that", STARTS, "rou"),
                part("ENDS_WITH", "whether x ends with that", ENDS, "ter"),
                part("CONTAINS", "whether that is in x", CONTAINS, "out"),
                regexp());
    }

    private static FunctionBuilder trim(String name, String form, String about, Function code) {
        return FunctionBuilder.of(name)
                .form(form, about)
                .row(a -> Functions.call(code, List.of(a.get(0), text(" "))), x())
                .calls(code, "x", "letters");
    }

    private static FunctionDef part(String name, String about, Function code, String part) {
        return FunctionBuilder.of(name)
                .form(name + "(x, part)", about)
                .calls(code, "x", "part")
                .example(name + "('router', '" + part + "')", "true")
                .build();
    }

    private static FunctionDef regexp() {
        Parameter pattern =
                Parameter.constant(
                                "pattern",
                                text("a"),
                                "the pattern is no regular expression, or it is too large",
                                v -> v instanceof String s && Regexes.isOne(s))
                        .hinting("the syntax is RE2's, without back references");
        Parameter flag =
                Parameter.constant("flag", text("i"), "the only flag is 'i'", v -> v.equals("i"));
        return FunctionBuilder.of("REGEXP_LIKE")
                .form("REGEXP_LIKE(x, pattern)", "whether a part of x matches")
                .form("REGEXP_LIKE(x, pattern, 'i')", "the same, capitals or not")
                .row(a -> Functions.call(REGEXP, a), x(), pattern)
                .row(TextLibrary::anyCase, x(), pattern, flag)
                .gives(BOOLEAN)
                .code(REGEXP)
                .example("REGEXP_LIKE('router-7', '^r.*-[0-9]+$')", "true")
                .example("REGEXP_LIKE('router-7', 'ROUTER', 'i')", "true")
                .build();
    }

    private static Expr anyCase(List<Expr> arguments) {
        String pattern = (String) ((Literal) arguments.get(1)).value();
        return Functions.call(REGEXP, List.of(arguments.get(0), text("(?i)" + pattern)));
    }

    private static Parameter x() {
        return Parameter.of("x", VARCHAR);
    }

    private static Literal text(String value) {
        return new Literal(value, Type.VARCHAR);
    }
}
