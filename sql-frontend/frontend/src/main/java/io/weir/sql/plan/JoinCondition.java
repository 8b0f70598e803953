package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Combination.JoinKind;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.Streams;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The condition of one join: equations of windows and keys, and the rest. One use. */
final class JoinCondition {
    private final Binding binding;
    private final Streams streams;
    private final FromSource left;
    private final FromSource right;
    private final JoinKind kind;
    private final Optional<Window> window;
    private final String leftPrefix;
    private final String rightPrefix;
    private final List<Combination.Equation> keys = new ArrayList<>();
    private final List<Expr> rest = new ArrayList<>();
    private Combination.Equation windows;

    /**
     * @param left a source, or a sub-query that is a join
     * @param window of both sides; empty for totals
     */
    JoinCondition(
            Binding binding,
            Streams streams,
            FromSource left,
            FromSource right,
            JoinKind kind,
            Optional<Window> window) {
        this.binding = binding;
        this.streams = streams;
        this.left = left;
        this.right = right;
        this.kind = kind;
        this.window = window;
        leftPrefix = left.isJoin() ? "" : left.alias() + ".";
        rightPrefix = right.alias() + ".";
    }

    FromSource joined(SqlNode condition, List<String> using) {
        List<Variable> lefts = columns(left.stream(), leftPrefix, kind.keepsRight());
        List<Variable> rights = columns(right.stream(), rightPrefix, kind.keepsLeft());
        List<Variable> all = new ArrayList<>(lefts);
        all.addAll(rights);
        List<String> sides = new ArrayList<>(left.isJoin() ? left.sides() : List.of(left.alias()));
        List<String> shown = List.copyOf(sides);
        sides.add(right.alias());
        FromSource both = source(stream(all, List.of(), Optional.empty()), sides, Map.of());
        RowScope scope = new RowScope(binding, streams, both, "ON");
        Expr bound = new ExpressionBinder(binding, scope).condition(condition, "ON");
        Conditions.parts(binding.taken(condition, bound)).forEach(this::sort);
        if (window.isPresent() && windows == null) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    condition,
                    "the join equates no windows",
                    "let both sides select window_end, and equate these: ON "
                            + sides.get(0)
                            + ".window_end = "
                            + right.alias()
                            + ".window_end AND …");
        }
        Combination.Join join = join(condition);
        boolean pairs = kind.hasPairs();
        Stream stream = stream(pairs ? all : lefts, times(), Optional.of(join));
        return source(stream, pairs ? sides : shown, named(using));
    }

    private static List<Variable> columns(Stream stream, String prefix, boolean canLack) {
        return stream.columns().stream()
                .map(
                        c ->
                                Variable.column(
                                        prefix + c.name(), canLack ? c.type().orNull() : c.type()))
                .toList();
    }

    private Stream stream(
            List<Variable> columns, List<TimeColumn> times, Optional<Combination> of) {
        String name = left.stream().name() + ", " + right.stream().name();
        String type = left.stream().type().name() + ", " + right.stream().type().name();
        return new Stream(
                name,
                StreamType.ofQuery(type),
                Stream.Form.ROWS,
                columns,
                times,
                window.isEmpty(),
                of);
    }

    private FromSource source(Stream stream, List<String> sides, Map<String, String> using) {
        return new FromSource(
                stream, String.join(", ", sides), Optional.empty(), right.at(), sides, using);
    }

    /** A column of USING is that of a side that no row lacks; of FULL JOIN it needs a qualifier. */
    private Map<String, String> named(List<String> using) {
        Map<String, String> named = new HashMap<>(kind.keepsRight() ? Map.of() : left.using());
        for (String column : using) {
            if (kind == JoinKind.RIGHT) {
                named.put(column, rightPrefix + column);
            } else if (kind != JoinKind.FULL) {
                named.put(column, own(left, leftPrefix, column));
            }
        }
        return named;
    }

    private static String own(FromSource side, String prefix, String column) {
        return side.isJoin()
                ? side.columns(new SqlIdentifier(column, SqlParserPos.ZERO)).get(0)
                : prefix + column;
    }

    /** Takes one of the conditions that AND joins. */
    private void sort(Expr part) {
        Optional<Combination.Equation> equation = equation(part);
        if (equation.isEmpty()) {
            rest.add(part);
            return;
        }
        Combination.Equation pair = equation.get();
        Optional<TimeColumn> one = left.stream().time(pair.left());
        Optional<TimeColumn> other = right.stream().time(pair.right());
        boolean ofWindows =
                one.isPresent() && other.isPresent() && one.get().reads() == other.get().reads();
        if (window.isPresent() && ofWindows && windows == null) {
            windows = pair;
            if (!isNullable(left.stream(), pair.left())) {
                return; // rows of one window are joined anyway
            }
        }
        keys.add(pair);
    }

    private static boolean isNullable(Stream stream, String column) {
        return stream.find(column).orElseThrow().type().nullable();
    }

    /** Returns the columns of an equation between the sides, by the sides' own names. */
    private Optional<Combination.Equation> equation(Expr part) {
        if (!(part instanceof Expr.Call call)
                || !call.function().name().equals("=")
                || !(call.arguments().get(0) instanceof Variable one)
                || !(call.arguments().get(1) instanceof Variable other)
                || one.type().kind() != other.type().kind()
                || one.type().kind() == Kind.DOUBLE) { // NaN and -0.0 are the condition's matter
            return Optional.empty();
        }
        boolean first = one.name().startsWith(rightPrefix);
        boolean second = other.name().startsWith(rightPrefix);
        if (first == second) {
            return Optional.empty();
        }
        String ofLeft = (first ? other : one).name().substring(leftPrefix.length());
        String ofRight = (first ? one : other).name().substring(rightPrefix.length());
        return Optional.of(new Combination.Equation(ofLeft, ofRight));
    }

    private Combination.Join join(SqlNode at) {
        return new Combination.Join(
                kind,
                side(left, leftPrefix, true),
                side(right, rightPrefix, false),
                keys,
                Conditions.all(binding, at, rest));
    }

    private Combination.Side side(FromSource source, String prefix, boolean isLeft) {
        String query = source.stream().type().name();
        if (window.isEmpty()) {
            return new Combination.Side(query, prefix, "", RowTime.WINDOW_END, 0);
        }
        String column = isLeft ? windows.left() : windows.right();
        RowTime reads = source.stream().time(column).orElseThrow().reads();
        return new Combination.Side(query, prefix, column, reads, window.get().sizeNs());
    }

    /** Returns the ends of windows that no row lacks. */
    private List<TimeColumn> times() {
        List<TimeColumn> times = new ArrayList<>();
        if (!kind.keepsRight()) {
            left.stream().times().forEach(time -> add(times, leftPrefix, time));
        }
        if (!kind.keepsLeft() && kind.hasPairs()) {
            right.stream().times().forEach(time -> add(times, rightPrefix, time));
        }
        return window.isEmpty() ? List.of() : times;
    }

    private static void add(List<TimeColumn> times, String prefix, TimeColumn time) {
        if (time.reads() == RowTime.WINDOW_END) {
            times.add(new TimeColumn(prefix + time.name(), time.reads()));
        }
    }
}
