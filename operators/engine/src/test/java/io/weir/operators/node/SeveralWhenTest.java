package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Correlation.Equation;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.interpret.Interpreter;
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
 * WHEN over several upstreams against a naive simulation: rows of all upstreams in the order of
 * their windows' ends, each with the latest row of the others.
 */
@Timeout(300)
final class SeveralWhenTest {
    private static final Query SHORT = Graphs.counts("a", Graphs.tumble(1), null, "src_addr");
    private static final Query LONG = Graphs.counts("b", Graphs.hop(4, 2), null, "src_addr");
    private static final Query ALL = Graphs.counts("c", Graphs.tumble(2), null);
    private static final Query SLOW = Graphs.counts("k", Graphs.tumble(3), null);

    /** The key of a query without keys. */
    private static final Inet NOBODY = Inet.v4(0);

    /**
     * WHEN parts[0] AND parts[1] …, over n of each.
     *
     * @param until of the last part's n
     */
    private record Plan(List<Query> upstreams, List<Long> limits, Optional<Long> until) {}

    /** One row: of which upstream, by place in the condition. */
    private record Row(int place, long windowEndNs, Inet key, long n) {}

    @Test
    void eachRowIsTestedWithTheLatestOfTheOthers() {
        long first = Long.getLong("weir.seed", 1);
        int spans = 0;
        for (long seed = first; seed < first + 12; seed++) {
            Random random = new Random(seed);
            boolean bound = seed % 2 == 0;
            Optional<Long> until = seed % 3 == 1 ? Optional.of(bound ? 3L : 70L) : Optional.empty();
            Plan plan =
                    bound
                            ? new Plan(
                                    List.of(ALL, LONG, SHORT),
                                    List.of(20L, 8L, 3L + random.nextInt(3)),
                                    until)
                            : new Plan(List.of(ALL, SLOW), List.of(80L, 90L), until);
            When when = when(plan, seed % 3 == 2);
            List<Packet> packets = BoundWhenTest.packets(random);
            Query plain = Graphs.counts("woken", Graphs.tumble(1.5), when, "src_addr", "dst_port");
            Query woken = bound ? bound(when) : plain;
            List<Query> all = List.of(SLOW, LONG, ALL, SHORT, woken);
            String message = "-Dweir.seed=" + seed;
            Run inline = new Run(all, packets, BoundWhenTest.shape(random, 1, 1), seed);
            Map<Inet, List<NaiveWhen.Span>> active = active(plan, when, inline);
            spans += active.values().stream().mapToInt(List::size).sum();
            assertEquals(
                    BoundWhenTest.expected(plain, active, inline, bound),
                    BoundWhenTest.lines(inline, "woken", bound ? 1 : 0),
                    message);
            for (int[] shape : new int[][] {{1, 2}, {2, 1}, {2, 2}}) {
                EngineOptions options = BoundWhenTest.shape(random, shape[0], shape[1]);
                Run run = new Run(all, packets, options, random.nextLong());
                String where = message + ", " + shape[0] + "×" + shape[1];
                assertEquals(inline.rows, run.rows, where);
                assertEquals(inline.fired, run.fired, where);
            }
        }
        assertTrue(spans > 60, "only " + spans + " activations");
    }

    private static When when(Plan plan, boolean lasts) {
        List<Expr> parts = new ArrayList<>();
        for (int place = 0; place < plan.upstreams().size(); place++) {
            parts.add(test(plan.upstreams().get(place), ">", plan.limits().get(place)));
        }
        Query last = plan.upstreams().get(plan.upstreams().size() - 1);
        return new When(
                plan.upstreams().stream().map(Query::name).toList(),
                Functions.call(Functions.AND, parts),
                plan.until().map(limit -> test(last, "<", limit)),
                lasts ? Optional.of(3 * Graphs.SECOND_NS) : Optional.empty(),
                Optional.empty());
    }

    private static Expr test(Query of, String comparison, long limit) {
        return Functions.call(comparison, column(of, "n"), Literal.of(limit));
    }

    private static Variable column(Query of, String name) {
        return When.qualified(of.name(), Graphs.column(of.columns(), name));
    }

    private static Query bound(When when) {
        Variable key = Graphs.column(SHORT.columns(), "src_addr");
        Equation equation =
                new Equation(column(SHORT, "src_addr"), key, List.of(column(LONG, "src_addr")));
        Correlation used =
                new Correlation(List.of(equation), List.of(column(LONG, "n")), Correlation.MOST, 0);
        return BoundWhenTest.bound("woken", when, used);
    }

    private static Map<Inet, List<NaiveWhen.Span>> active(Plan plan, When when, Run run) {
        List<Row> rows = new ArrayList<>();
        for (int place = 0; place < plan.upstreams().size(); place++) {
            for (Interpreter.Output window : run.rows.get(when.upstreams().get(place))) {
                for (List<Object> row : window.rows()) {
                    Inet key = row.get(0) instanceof Inet address ? address : NOBODY;
                    long n = (Long) row.get(row.size() - 5);
                    rows.add(new Row(place, window.windowEndNs(), key, n));
                }
            }
        }
        rows.sort(Comparator.comparingLong(Row::windowEndNs).thenComparingInt(Row::place));
        Map<Inet, Long[]> latest = new LinkedHashMap<>();
        Map<Inet, List<NaiveWhen.Tested>> tested = new LinkedHashMap<>();
        Long[] keyless = new Long[plan.upstreams().size()];
        boolean keys = rows.stream().anyMatch(row -> !row.key().equals(NOBODY));
        for (Row row : rows) {
            boolean ofAll = keys && row.key().equals(NOBODY);
            (ofAll ? keyless : latest.computeIfAbsent(row.key(), k -> new Long[keyless.length]))
                            [row.place()] =
                    row.n();
            latest.forEach(
                    (key, own) -> {
                        if (ofAll || key.equals(row.key())) {
                            test(plan, row, own, keyless)
                                    .ifPresent(
                                            one ->
                                                    tested.computeIfAbsent(
                                                                    key, k -> new ArrayList<>())
                                                            .add(one));
                        }
                    });
        }
        Map<Inet, List<NaiveWhen.Span>> active = new LinkedHashMap<>();
        tested.forEach((key, tests) -> active.put(key, NaiveWhen.activations(when, tests)));
        return active;
    }

    private static Optional<NaiveWhen.Tested> test(Plan plan, Row row, Long[] own, Long[] keyless) {
        boolean meets = true;
        long last = 0;
        for (int place = 0; place < own.length; place++) {
            Long n = own[place] == null ? keyless[place] : own[place];
            if (n == null) {
                return Optional.empty();
            }
            meets &= n > plan.limits().get(place);
            last = n;
        }
        long low = last;
        boolean ends = plan.until().filter(limit -> low < limit).isPresent();
        long actsAtNs = row.windowEndNs() + BoundWhenTest.OPTIONS.delayNs();
        return Optional.of(new NaiveWhen.Tested(actsAtNs, meets, ends));
    }
}
