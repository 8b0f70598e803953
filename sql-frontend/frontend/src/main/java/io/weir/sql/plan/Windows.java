package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.BadArgument;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Meaning;
import io.weir.operators.function.Parameter;
import io.weir.operators.function.Signature;
import io.weir.operators.function.TimeLibrary;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.WindowBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Reads TUMBLE, HOP and SESSION, as group functions and as table functions. */
final class Windows {
    private static final Set<String> REFUSED = Set.of("CUMULATE");

    private final Binding binding;

    Windows(Binding binding) {
        this.binding = binding;
    }

    /** Returns whether the call is a window. CUMULATE is one, too, and is refused later. */
    static boolean isOne(SqlNode node) {
        return node instanceof SqlCall call
                && (find(call).isPresent() || REFUSED.contains(nameOf(call)));
    }

    private static Optional<FunctionDef> find(SqlCall call) {
        return FunctionRegistry.loaded()
                .find(nameOf(call))
                .filter(def -> def.meaning(Meaning.Window.class).isPresent());
    }

    /** The grammar calls it $TUMBLE in GROUP BY. */
    private static String nameOf(SqlCall call) {
        return call.getOperator().getName().replace("$", "").toUpperCase(Locale.ROOT);
    }

    /** Returns the called function that makes windows. Throws if it is another. */
    FunctionDef def(SqlCall call) {
        return find(call).orElseThrow(() -> refused(call));
    }

    private WeirException refused(SqlCall call) {
        String name = nameOf(call);
        if (isOne(call)) {
            return binding.notSupported(call, "a " + name + " window", WindowBounds.supported());
        }
        return binding.notSupported(
                call,
                "the function " + name + " in FROM",
                "FROM takes a stream, a query, TABLE(TUMBLE(…)) or TABLE(HOP(…))");
    }

    /** Reads TUMBLE(ts, size), HOP(ts, slide, size). */
    Windowing ofGroup(FromSource source, SqlCall call) {
        return of(source, call, def(call));
    }

    /** Reads TUMBLE_START(ts, size) and similar calls. */
    Windowing ofBound(FromSource source, SqlCall call) {
        return of(source, call, WindowBounds.window(call));
    }

    private Windowing of(FromSource source, SqlCall call, FunctionDef def) {
        if (call.operandCount() == 0) {
            throw malformed(call, formOf(call));
        }
        TimeColumn time = time(source, call.operand(0));
        Window window = of(call, def, call.getOperandList().subList(1, call.operandCount()));
        return new Windowing(window, time);
    }

    private static String formOf(SqlCall call) {
        return FunctionRegistry.loaded().find(nameOf(call)).orElseThrow().form();
    }

    /** Returns the window of the intervals after the time column. */
    Window of(SqlCall call, FunctionDef def, List<SqlNode> intervals) {
        List<Parameter> parameters =
                def.signatures().stream()
                        .map(Signature::parameters)
                        .filter(p -> p.size() == intervals.size() + 1)
                        .findFirst()
                        .orElseThrow(() -> malformed(call, formOf(call)));
        List<Long> lengthsNs = new ArrayList<>();
        for (int i = 0; i < intervals.size(); i++) {
            lengthsNs.add(lengthNs(parameters.get(i + 1), intervals.get(i)));
        }
        try {
            return def.meaning(Meaning.Window.class).orElseThrow().maker().make(lengthsNs);
        } catch (BadArgument bad) {
            throw binding.error(bad.code(), call, bad.getMessage(), bad.hint());
        }
    }

    private long lengthNs(Parameter parameter, SqlNode interval) {
        Expr expr =
                new ExpressionBinder(binding, new ConstantScope(binding, "a window's size"))
                        .bind(interval);
        if (parameter.name().equals("offset")
                && expr instanceof Expr.Literal zone
                && zone.value() instanceof String text) {
            return -TimeLibrary.zoneNs(text)
                    .orElseThrow(
                            () ->
                                    invalid(
                                            interval,
                                            "a zone is an offset from UTC",
                                            "write it as '+02:00'; names of zones are not known"));
        }
        boolean literal =
                expr instanceof Expr.Literal l
                        && l.value() != null
                        && parameter.kinds().contains(expr.type().kind());
        if (!literal) {
            throw binding.mismatch(
                    interval,
                    "a window's " + parameter.name() + " is an interval",
                    "write it as INTERVAL '1' SECOND");
        }
        Object ns = ((Expr.Literal) expr).value();
        Parameter.Constant rule = parameter.constant().orElseThrow();
        if (!rule.holds().test(ns)) {
            throw invalid(interval, rule.rule(), rule.hint());
        }
        return (Long) ns;
    }

    /** Windows use the stream's own time, because watermarks do. */
    TimeColumn time(FromSource source, SqlNode column) {
        Stream stream = source.stream();
        if (stream.form() == Stream.Form.FLOWS) {
            throw binding.notSupported(
                    column, "a window over flows", "count packets per 5-tuple instead");
        } else if (stream.isTable()) {
            throw invalid(
                    column,
                    stream.name() + " has no window: its rows are as of now, and are of no time",
                    "give " + stream.name() + " a window, or leave this one out");
        }
        return named(source, column)
                .flatMap(stream::time)
                .orElseThrow(() -> invalid(column, otherTime(stream), timeHint(stream)));
    }

    private static Optional<String> named(FromSource source, SqlNode column) {
        if (!(column instanceof SqlIdentifier id) || id.isStar()) {
            return Optional.empty();
        } else if (source.isJoin()) {
            return source.columns(id).stream().findFirst();
        }
        return Optional.of(id.names.get(id.names.size() - 1));
    }

    private static String otherTime(Stream stream) {
        return "windows are over the time of " + stream.name();
    }

    private static String timeHint(Stream stream) {
        if (stream.times().isEmpty()) {
            return "let " + stream.name() + " select window_end, or ts, and name that";
        }
        List<String> names = stream.times().stream().map(TimeColumn::name).toList();
        return "name its column " + String.join(" or ", names);
    }

    WeirException malformed(SqlCall call, String form) {
        return invalid(
                call, nameOf(call) + " does not take these arguments", "its form is " + form);
    }

    private WeirException invalid(SqlNode at, String message, String hint) {
        return binding.error(ErrorCode.INVALID_QUERY, at, message, hint);
    }

    /** Returns whether the node is the column of this name, unqualified. */
    static boolean isColumn(SqlNode node, String name) {
        return node.getKind() == SqlKind.IDENTIFIER
                && ((SqlIdentifier) node).isSimple()
                && ((SqlIdentifier) node).getSimple().equals(name);
    }
}
