package io.weir.operators.interpret;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.RowContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs a query a row at a time. It is the oracle that kernels are tested against. It shares only
 * the records of the graph with the compiler.
 */
public final class Interpreter {
    private static final long SECOND_NS = 1_000_000_000L;

    /** A row of the scanned stream, by column name. */
    public record Event(Map<String, Object> row, boolean late) {}

    /** The rows of a window; {@link Long#MIN_VALUE}, {@link Long#MAX_VALUE} without one. */
    public record Output(long windowStartNs, long windowEndNs, List<List<Object>> rows) {}

    private record Span(long startNs, long endNs) {}

    private final Query query;
    private final RowContext context;
    private Operator.Scan scan;
    private Optional<Expr> where = Optional.empty();
    private Operator.Aggregate aggregate;
    private Optional<Expr> having = Optional.empty();
    private List<Operator.Named> outputs = List.of();
    private Operator.Sort sort;
    private Operator.Over over;
    private Optional<Expr> qualify = Optional.empty();
    private List<Operator.Named> shown = List.of();
    private final OverInterpreter past = new OverInterpreter();

    public Interpreter(Query query) {
        this(query, RowContext.WHOLE);
    }

    public Interpreter(Query query, RowContext context) {
        this.query = query;
        this.context = context;
        take(query.root());
    }

    private void take(Operator operator) {
        if (operator instanceof Operator.Sort node) {
            sort = node;
            take(node.input());
        } else if (operator instanceof Operator.Project node) {
            outputs = node.outputs();
            take(node.input());
        } else if (operator instanceof Operator.Over node) {
            over = node;
            qualify = where;
            where = Optional.empty();
            shown = outputs;
            take(node.input());
        } else if (operator instanceof Operator.Aggregate node) {
            aggregate = node;
            having = where;
            where = Optional.empty();
            take(node.input());
        } else if (operator instanceof Operator.Filter node) {
            where = Optional.of(node.condition());
            take(node.input());
        } else {
            scan = (Operator.Scan) operator;
        }
    }

    /** Returns all windows of a whole input that have rows, in order. The gate is open. */
    public List<Output> run(List<Event> events) {
        return run(events, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Does the same as {@link #run(List)}, but counts only events with a time in [from, until). */
    public List<Output> run(List<Event> events, long fromNs, long untilNs) {
        List<Event> counted =
                events.stream()
                        .filter(e -> time(e) >= fromNs && time(e) < untilNs)
                        .filter(e -> where.isEmpty() || Evaluator.isTrue(where.get(), of(e)))
                        .toList();
        return aggregate == null ? rows(counted) : groups(counted);
    }

    private long time(Event event) {
        return (Long) event.row().get(scan.time()) + scan.reads().shiftNs();
    }

    private static Evaluator.Values of(Event event) {
        return v -> event.row().get(v.name());
    }

    private List<Output> rows(List<Event> events) {
        TreeMap<Long, List<List<Object>>> bySecond = new TreeMap<>();
        for (Event event : events) {
            List<Object> row = new ArrayList<>(List.of(time(event)));
            outputs.forEach(o -> row.add(Evaluator.evaluate(o.expr(), of(event))));
            long second = Math.floorDiv(time(event), SECOND_NS) * SECOND_NS;
            bySecond.computeIfAbsent(second, s -> new ArrayList<>()).add(row);
        }
        List<Output> result = new ArrayList<>();
        bySecond.forEach(
                (second, rows) -> {
                    rows.sort(RowOrder::canonical);
                    List<List<Object>> single = new ArrayList<>();
                    rows.forEach(row -> single.add(row.subList(1, row.size())));
                    List<List<Object>> all = new ArrayList<>(withOver(single, second + SECOND_NS));
                    if (sort != null) {
                        all.sort(RowOrder.by(sort.orders(), query.columns()));
                    }
                    result.add(new Output(second, second + SECOND_NS, all));
                });
        return limitedStream(result);
    }

    private List<Output> limitedStream(List<Output> outputsOfAll) {
        long skip = sort == null ? 0 : sort.offset();
        long left = sort == null ? Long.MAX_VALUE : sort.limit().orElse(Long.MAX_VALUE);
        List<Output> result = new ArrayList<>();
        for (Output output : outputsOfAll) {
            int from = (int) Math.min(skip, output.rows().size());
            int to = from + (int) Math.min(left, output.rows().size() - from);
            skip -= from;
            left -= to - from;
            List<List<Object>> rows = output.rows().subList(from, to);
            if (!rows.isEmpty()) {
                result.add(new Output(output.windowStartNs(), output.windowEndNs(), rows));
            }
        }
        return result;
    }

    private List<Output> groups(List<Event> events) {
        Map<Span, Map<List<Object>, List<FoldState>>> windows = new HashMap<>();
        if (aggregate.window().isEmpty() && aggregate.keys().isEmpty()) {
            group(windows, new Span(Long.MIN_VALUE, Long.MAX_VALUE), List.of());
        }
        for (Event event : events) {
            List<Object> key = new ArrayList<>();
            aggregate.keys().forEach(k -> key.add(asKey(Evaluator.evaluate(k.expr(), of(event)))));
            for (Span span : spans(event)) {
                group(windows, span, key).forEach(fold -> fold.update(of(event)));
            }
        }
        return windows.keySet().stream()
                .sorted((a, b) -> Long.compare(a.endNs(), b.endNs()))
                .map(span -> finish(span, windows.get(span)))
                .filter(output -> !output.rows().isEmpty())
                .toList();
    }

    private List<FoldState> group(
            Map<Span, Map<List<Object>, List<FoldState>>> windows, Span span, List<Object> key) {
        return windows.computeIfAbsent(span, s -> new HashMap<>())
                .computeIfAbsent(key, k -> aggregate.folds().stream().map(FoldState::new).toList());
    }

    /** Returns the windows that an event belongs to. */
    private List<Span> spans(Event event) {
        if (aggregate.window().isEmpty()) {
            return List.of(new Span(Long.MIN_VALUE, Long.MAX_VALUE));
        } else if (event.late()) {
            return List.of();
        }
        Window window = aggregate.window().get();
        List<Span> spans = new ArrayList<>();
        long before = Math.floorMod(time(event) - window.offsetNs(), window.slideNs());
        long start = time(event) - before;
        for (; start + window.sizeNs() > time(event); start -= window.slideNs()) {
            spans.add(new Span(start, start + window.sizeNs()));
        }
        return spans;
    }

    private Output finish(Span span, Map<List<Object>, List<FoldState>> groups) {
        List<List<Object>> keys = new ArrayList<>(groups.keySet());
        keys.sort(RowOrder.ofGroups(aggregate.keys(), scan.type().comesAsGpvs()));
        List<List<Object>> rows = new ArrayList<>();
        for (List<Object> key : keys) {
            Map<String, Object> row = resultOf(span, key, groups.get(key));
            if (having.isEmpty() || Evaluator.isTrue(having.get(), v -> row.get(v.name()))) {
                List<Object> single = new ArrayList<>();
                for (Operator.Named output : outputs) {
                    single.add(Evaluator.evaluate(output.expr(), v -> row.get(v.name())));
                }
                rows.add(single);
            }
        }
        return new Output(span.startNs(), span.endNs(), sorted(withOver(rows, span.endNs())));
    }

    /** Adds the columns of OVER, filters by QUALIFY, and projects. */
    private List<List<Object>> withOver(List<List<Object>> rows, long endNs) {
        if (over == null) {
            return rows;
        }
        List<List<Object>> result = new ArrayList<>();
        for (Map<String, Object> row : past.compute(over, rows, endNs)) {
            if (qualify.isEmpty() || Evaluator.isTrue(qualify.get(), v -> row.get(v.name()))) {
                List<Object> made = new ArrayList<>();
                shown.forEach(o -> made.add(Evaluator.evaluate(o.expr(), v -> row.get(v.name()))));
                result.add(made);
            }
        }
        return result;
    }

    private Map<String, Object> resultOf(Span span, List<Object> key, List<FoldState> folds) {
        Map<String, Object> row = new HashMap<>();
        for (int i = 0; i < key.size(); i++) {
            row.put(aggregate.keys().get(i).name(), key.get(i));
        }
        for (int i = 0; i < folds.size(); i++) {
            row.put(aggregate.folds().get(i).name(), folds.get(i).result());
        }
        row.put(Operator.Aggregate.WINDOW_START, span.startNs());
        row.put(Operator.Aggregate.WINDOW_END, span.endNs());
        row.put(Operator.Row.PACKETS_LOST.name(), context.packetsLost());
        row.put(Operator.Row.PACKETS_MISSING.name(), context.packetsMissing());
        row.put(Operator.Row.PACKETS_LATE.name(), context.packetsLate());
        row.put(Operator.Row.COMPLETENESS.name(), context.completeness());
        row.put(Operator.Row.LEFT_OUT_MOST.name(), context.leftOutMost());
        boolean always = context.activeFromNs() == RowContext.ALWAYS;
        row.put(Operator.Row.IS_PARTIAL.name(), context.isPartial());
        row.put(Operator.Row.ACTIVE_FROM.name(), always ? null : context.activeFromNs());
        return row;
    }

    private List<List<Object>> sorted(List<List<Object>> rows) {
        if (sort == null) {
            return rows;
        }
        List<List<Object>> ordered = new ArrayList<>(rows);
        Collections.sort(ordered, RowOrder.by(sort.orders(), query.columns()));
        int from = (int) Math.min(sort.offset(), ordered.size());
        long limit = sort.limit().orElse(Long.MAX_VALUE);
        return ordered.subList(from, from + (int) Math.min(limit, ordered.size() - from));
    }

    /** Makes values equal that SQL holds to be equal: -0.0 is 0.0. */
    static Object asKey(Object value) {
        return value instanceof Double real ? (Object) (real + 0.0) : value;
    }
}
