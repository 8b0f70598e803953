package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import io.weir.sql.validate.WindowBounds;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Reads TUMBLE and HOP, as group functions and as table functions. */
final class Windows {
    /** Time stamps of captures are not finer than a microsecond. */
    static final long MIN_NS = 1_000;

    static final long MAX_NS = 366L * 86_400 * 1_000_000_000;

    /** The most panes of one window: each is a map per query and pipeline. */
    static final int MAX_PANES = 1_000;

    private static final Set<String> NAMES = Set.of("TUMBLE", "HOP");

    private final Binding binding;

    Windows(Binding binding) {
        this.binding = binding;
    }

    /**
     * Returns whether the call is a window. SESSION and CUMULATE are too, and are refused later.
     */
    static boolean isOne(SqlNode node) {
        return node instanceof SqlCall call
                && Set.of("TUMBLE", "HOP", "SESSION", "CUMULATE").contains(nameOf(call));
    }

    /** The grammar calls it $TUMBLE in GROUP BY. */
    private static String nameOf(SqlCall call) {
        return call.getOperator().getName().replace("$", "").toUpperCase(Locale.ROOT);
    }

    /** Returns TUMBLE or HOP; anything else is refused. */
    String name(SqlCall call) {
        String name = nameOf(call);
        if (isOne(call) && !NAMES.contains(name)) {
            throw binding.notSupported(call, "a " + name + " window", "TUMBLE and HOP are");
        } else if (!NAMES.contains(name)) {
            throw binding.notSupported(
                    call,
                    "the function " + name + " in FROM",
                    "FROM takes a stream, a query, TABLE(TUMBLE(…)) or TABLE(HOP(…))");
        }
        return name;
    }

    /** Reads TUMBLE(ts, size), HOP(ts, slide, size). */
    Windowing ofGroup(FromSource source, SqlCall call) {
        return of(source, call, name(call));
    }

    /** Reads TUMBLE_START(ts, size) and similar calls. */
    Windowing ofBound(FromSource source, SqlCall call) {
        return of(source, call, WindowBounds.window(call));
    }

    private Windowing of(FromSource source, SqlCall call, String name) {
        if (call.operandCount() == 0) {
            throw malformed(call, nameOf(call) + arguments(name.equals("HOP")));
        }
        TimeColumn time = time(source, call.operand(0));
        Window window = of(call, name, call.getOperandList().subList(1, call.operandCount()));
        return new Windowing(window, time);
    }

    private static String arguments(boolean hop) {
        return hop ? "(ts, slide, size)" : "(ts, size)";
    }

    /** Returns the window of the intervals after the time column. */
    Window of(SqlCall call, String name, List<SqlNode> intervals) {
        boolean hop = name.equals("HOP");
        int wanted = hop ? 2 : 1;
        if (intervals.size() == wanted + 1) {
            throw binding.notSupported(
                    intervals.get(wanted), "an offset of windows", "they are aligned to the epoch");
        } else if (intervals.size() != wanted) {
            throw malformed(call, nameOf(call) + arguments(hop));
        }
        long firstNs = lengthNs(intervals.get(0));
        return hop ? hop(call, firstNs, lengthNs(intervals.get(1))) : Window.tumble(firstNs);
    }

    private Window hop(SqlCall call, long slideNs, long sizeNs) {
        if (slideNs > sizeNs) {
            throw invalid(
                    call,
                    "HOP slides further than its windows are long: packets in between would be lost",
                    "the slide comes first: HOP" + arguments(true));
        }
        Window window = new Window(sizeNs, slideNs);
        if (sizeNs / window.paneNs() > MAX_PANES) {
            throw invalid(
                    call,
                    "a window of " + sizeNs / window.paneNs() + " panes; at most " + MAX_PANES,
                    "let the slide divide the size, or slide further");
        }
        return window;
    }

    private long lengthNs(SqlNode interval) {
        Expr expr =
                new ExpressionBinder(binding, new ConstantScope(binding, "a window's size"))
                        .bind(interval);
        boolean literal =
                expr instanceof Expr.Literal l
                        && l.value() != null
                        && expr.type().kind() == Kind.INTERVAL;
        if (!literal) {
            throw binding.mismatch(
                    interval, "a window's size is an interval", "write it as INTERVAL '1' SECOND");
        }
        long ns = (Long) ((Expr.Literal) expr).value();
        if (ns < MIN_NS || ns > MAX_NS) {
            throw invalid(interval, "a window is from a microsecond to 366 days long", null);
        }
        return ns;
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
        return named(column)
                .flatMap(stream::time)
                .orElseThrow(() -> invalid(column, otherTime(stream), timeHint(stream)));
    }

    private static Optional<String> named(SqlNode column) {
        return column instanceof SqlIdentifier id && !id.isStar()
                ? Optional.of(id.names.get(id.names.size() - 1))
                : Optional.empty();
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
