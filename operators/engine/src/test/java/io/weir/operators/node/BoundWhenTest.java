package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.function.BindingFunctions;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.When;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.RowContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A WHEN with values against a naive simulation: for each key, the rows of the upstream with that
 * key say when packets with that key count.
 */
@Timeout(300)
final class BoundWhenTest {
    static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(Graphs.SECOND_NS / 2, Graphs.SECOND_NS)
                    .withMemory(256L << 20, 32L << 20);

    private static final Query PER_SRC =
            Graphs.counts("per_src", Graphs.tumble(1), null, "src_addr");
    private static final int LIMIT = 2;

    @Test
    void eachBindingCountsItsOwnPackets() {
        long first = Long.getLong("seed", 1);
        int spans = 0;
        for (long seed = first; seed < first + 12; seed++) {
            Random random = new Random(seed);
            Long low = seed % 3 == 1 ? 4L : null;
            Double lasts = seed % 3 == 2 ? 1.0 + random.nextInt(4) : null;
            When when = Graphs.when(PER_SRC, 6 + random.nextInt(6), low, lasts);
            boolean limited = random.nextBoolean();
            Query plain = plain(when, limited);
            Query bound = bound(when, limited, Correlation.MOST);
            List<Packet> packets = packets(random);
            Run inline = new Run(List.of(PER_SRC, bound), packets, shape(random, 1, 1), seed);
            String message = "seed " + seed;
            Map<Inet, List<NaiveWhen.Span>> active = active(plain, inline);
            spans += active.values().stream().mapToInt(List::size).sum();
            assertEquals(expected(plain, active, inline, true), lines(inline, "bound", 1), message);
            for (int[] shape : new int[][] {{1, 2}, {2, 1}, {2, 2}}) {
                EngineOptions options = shape(random, shape[0], shape[1]);
                Run run = new Run(List.of(PER_SRC, bound), packets, options, random.nextLong());
                String where = message + ", " + shape[0] + "×" + shape[1];
                assertEquals(inline.rows, run.rows, where);
                assertEquals(inline.fired, run.fired, where);
            }
        }
        assertTrue(spans > 100, "only " + spans + " activations");
    }

    @Test
    void aFullSetRefusesFurtherKeys() {
        Random random = new Random(4);
        List<Packet> packets = packets(random);
        Query bound = bound(Graphs.when(PER_SRC, 6, null, null), false, 2);
        Run run = new Run(List.of(PER_SRC, bound), packets, shape(random, 1, 1), 1);
        long keys =
                run.rows.get("bound").stream()
                        .flatMap(window -> window.rows().stream())
                        .map(row -> row.get(0))
                        .distinct()
                        .count();
        assertEquals(2, keys);
    }

    static EngineOptions shape(Random random, int partitions, int pipelines) {
        int blockBytes = 2048 << random.nextInt(4);
        return OPTIONS.withShape(partitions, pipelines).withBlocks(blockBytes, 1 << 17);
    }

    static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        long nowUs = 1_700_000_000_000_000L + random.nextInt(5_000_000);
        int count = 500 + random.nextInt(3000);
        for (int i = 0; i < count; i++) {
            nowUs += random.nextInt(i / 300 % 2 == 0 ? 10_000 : 60_000);
            if (random.nextInt(400) == 0) {
                nowUs += random.nextInt(9_000_000);
            }
            long backUs = random.nextInt(10) == 0 ? random.nextInt(900_000) : 0;
            boolean v6 = random.nextInt(4) == 0;
            int host = random.nextInt(1 + random.nextInt(12));
            Inet src = v6 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(0x0A000000 + host);
            Inet dst = v6 ? Inet.v6(0x2001_0db8_0000_0000L, 99) : Inet.v4(0x0A0000FF);
            long port = 1L + random.nextInt(4);
            packets.add(new Packet((nowUs - backUs) * 1000, src, dst, 1000, port, 6, 40 + host));
        }
        return packets;
    }

    /** The query of one binding, as if it had no others. */
    private static Query plain(When when, boolean limited) {
        Query query = Graphs.counts("bound", Graphs.tumble(1.5), when, "src_addr", "dst_port");
        return limited ? Graphs.top(query, LIMIT) : query;
    }

    /** It has a binding for each key, and shows n of the row that woke it. */
    private static Query bound(When when, boolean limited, int most) {
        Variable column = Graphs.column(PER_SRC.columns(), "src_addr");
        Variable n = Graphs.column(PER_SRC.columns(), "n");
        Variable key = Variable.column("src_addr", column.type());
        Correlation used = new Correlation(List.of(new Equation(column, key)), List.of(n), most, 0);
        Query made = bound("bound", when, used);
        return limited ? Graphs.top(made, LIMIT) : made;
    }

    /** It has one key and one value, of an integer. */
    static Query bound(String name, When when, Correlation used) {
        Query query = Graphs.counts(name, Graphs.tumble(1.5), when, "src_addr", "dst_port");
        Operator.Project project = query.projection();
        Operator.Aggregate aggregate = query.aggregate().orElseThrow();
        Expr key = used.equations().get(0).value();
        Variable n = used.values().get(0);
        Expr found = BindingFunctions.find(List.of(key));
        Expr time = Variable.column("ts", Type.TIMESTAMP);
        Expr active = BindingFunctions.active(found, time);
        List<Named> keys = new ArrayList<>();
        keys.add(new Named("activation", BindingFunctions.id(active)));
        keys.add(new Named("woken_n", BindingFunctions.value(active, 4, n.type())));
        keys.addAll(aggregate.keys());
        List<Expr> conditions =
                List.of(BindingFunctions.isFound(found), BindingFunctions.isFound(active));
        Expr filter = Functions.call(Functions.AND, conditions);
        Operator groups =
                new Operator.Aggregate(
                        new Operator.Filter(query.scan(), filter),
                        aggregate.window(),
                        keys,
                        aggregate.folds(),
                        aggregate.wholeBy());
        List<Named> outputs = new ArrayList<>(project.outputs());
        outputs.add(new Named("woken_n", Variable.column("woken_n", n.type())));
        When with =
                new When(
                        when.upstreams(),
                        when.condition(),
                        when.until(),
                        when.forNs(),
                        Optional.of(used));
        return new Query(name, new Operator.Project(groups, outputs), Optional.of(with), "");
    }

    private static Map<Inet, List<NaiveWhen.Span>> active(Query plain, Run run) {
        Map<Inet, List<Interpreter.Output>> byKey = new LinkedHashMap<>();
        for (Interpreter.Output window : run.rows.get("per_src")) {
            for (List<Object> row : window.rows()) {
                byKey.computeIfAbsent((Inet) row.get(0), k -> new ArrayList<>())
                        .add(
                                new Interpreter.Output(
                                        window.windowStartNs(),
                                        window.windowEndNs(),
                                        List.of(row)));
            }
        }
        Map<Inet, List<NaiveWhen.Span>> active = new LinkedHashMap<>();
        byKey.forEach(
                (key, rows) ->
                        active.put(key, new NaiveWhen(OPTIONS.delayNs(), rows).activations(plain)));
        return active;
    }

    /**
     * @param keyed whether only packets with the key count
     */
    static List<String> expected(
            Query plain, Map<Inet, List<NaiveWhen.Span>> active, Run run, boolean keyed) {
        boolean ends =
                plain.when().orElseThrow().until().isPresent()
                        || plain.when().orElseThrow().forNs().isPresent();
        List<String> lines = new ArrayList<>();
        active.forEach(
                (key, spans) -> {
                    List<Interpreter.Event> events =
                            run.events().stream()
                                    .filter(e -> !(ends && e.late()))
                                    .filter(e -> !keyed || e.row().get("src_addr").equals(key))
                                    .toList();
                    for (NaiveWhen.Span span : spans) {
                        RowContext context = new RowContext(0, 1, span.fromNs());
                        new Interpreter(plain, context)
                                .run(events, span.fromNs(), span.untilNs())
                                .forEach(window -> add(window, lines, 0));
                    }
                });
        lines.sort(Comparator.naturalOrder());
        return lines;
    }

    static List<String> lines(Run run, String query, int more) {
        List<String> lines = new ArrayList<>();
        run.rows.get(query).forEach(window -> add(window, lines, more));
        lines.sort(Comparator.naturalOrder());
        return lines;
    }

    private static void add(Interpreter.Output window, List<String> lines, int more) {
        window.rows()
                .forEach(
                        row ->
                                lines.add(
                                        window.windowStartNs()
                                                + " "
                                                + row.subList(0, row.size() - more)));
    }
}
