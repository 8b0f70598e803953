package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Row;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.Undercount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * on_overflow = 'evict' against exact counts, for any number of pipelines: no row is too high, none
 * too low by more packets than it says, and no group without a row has more.
 */
@Timeout(300)
final class EvictTest {
    private static final int RUNS = Integer.getInteger("weir.test.evict", 24);
    private static final int PACKETS = 12_000;

    private static final List<List<String>> KEYS =
            List.of(
                    List.of("src_addr"),
                    List.of("dst_addr", "src_addr"),
                    List.of("src_port", "proto"),
                    List.of("src_port", "bytes"),
                    List.of("dst_addr", "src_port", "proto"),
                    List.of("bytes"));

    private static final List<Named> TOLD =
            List.of(
                    new Named("undercount", Row.UNDERCOUNT),
                    new Named("left_out_most", Row.LEFT_OUT_MOST));

    /** Keys, packets, the figures besides, undercount and left_out_most. */
    static Query query(String name, Random random, EngineOptions options) {
        Optional<Window> window =
                switch (random.nextInt(4)) {
                    case 0 -> Optional.empty();
                    case 1 -> Graphs.hop(4, 2);
                    default -> Graphs.tumble(3);
                };
        List<String> keys = KEYS.get(random.nextInt(KEYS.size()));
        Query plain = Graphs.counts(name, window, null, keys.toArray(new String[0]));
        Operator.Project project = (Operator.Project) plain.root();
        List<Named> outputs = new ArrayList<>(project.outputs().subList(0, keys.size() + 2));
        outputs.addAll(TOLD);
        Operator root = new Operator.Project(project.input(), outputs);
        long bytes = Budget.LEAST_BYTES * options.rings() << random.nextInt(3);
        Budget little = new Budget(bytes, Budget.Overflow.EVICT);
        return Undercount.of(new Query(name, root, Optional.empty(), "", Optional.of(little)));
    }

    /** Hosts have many ports, and packets of a port come by all pipelines. */
    static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        long nowUs = 1_700_000_000_000_000L;
        int ports = 1 << 4 + random.nextInt(12);
        for (int i = 0; i < PACKETS; i++) {
            nowUs += random.nextInt(1_000);
            boolean v6 = random.nextInt(4) == 0;
            Inet src = address(v6, random.nextInt(1 << 2 + random.nextInt(14)));
            Inet dst = address(v6, random.nextInt(500));
            long port = random.nextInt(ports);
            long bytes = 40L + random.nextInt(1_400);
            long proto = random.nextBoolean() ? 6 : 17;
            long ns = (nowUs - random.nextInt(200_000)) * 1000;
            packets.add(new Packet(ns, src, dst, port, 80, proto, bytes));
        }
        return packets;
    }

    private static Inet address(boolean v6, int host) {
        return v6 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(0x0A000000 + host);
    }

    @Test
    void noRowIsLowerThanItSays() {
        long base = Long.getLong("weir.seed", 1);
        Found all = new Found(0, 0, 0);
        for (long seed = base; seed < base + RUNS; seed++) {
            try {
                all = all.plus(run(seed));
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(all.low > RUNS, all.toString());
        assertTrue(all.exact > all.low && all.absent > RUNS, all.toString());
    }

    private static Found run(long seed) {
        Random random = new Random(seed);
        EngineOptions options =
                HeaviestTest.OPTIONS
                        .withShape(1 + random.nextInt(2), 1 + random.nextInt(4))
                        .withBlocks(4096, 1 << 17);
        List<Query> queries = List.of(query("q0", random, options), query("q1", random, options));
        Run run = new Run(queries, packets(random), options, seed);
        Found found = new Found(0, 0, 0);
        for (Query query : queries) {
            found = found.plus(check(query, run.rows.get(query.name()), run.events()));
        }
        return found;
    }

    /** Rows that were too low, those that said that they are exact, and groups without one. */
    record Found(int low, int exact, int absent) {
        Found plus(Found other) {
            return new Found(low + other.low, exact + other.exact, absent + other.absent);
        }
    }

    static Found check(
            Query query, List<Interpreter.Output> windows, List<Interpreter.Event> events) {
        int keys = query.aggregate().orElseThrow().keys().size();
        Map<Long, Interpreter.Output> exact = new HashMap<>();
        new Interpreter(query)
                .run(events)
                .forEach(output -> exact.put(output.windowEndNs(), output));
        Found found = new Found(0, 0, 0);
        for (Interpreter.Output window : windows) {
            found = found.plus(check(window, exact.get(window.windowEndNs()), keys));
        }
        return found;
    }

    private static Found check(Interpreter.Output shown, Interpreter.Output exact, int keys) {
        Map<List<Object>, List<Object>> absent = new HashMap<>();
        exact.rows().forEach(row -> absent.put(row.subList(0, keys), row));
        int low = 0;
        int said = 0;
        long most = (Long) shown.rows().get(0).get(keys + 3);
        for (List<Object> row : shown.rows()) {
            List<Object> truth = absent.remove(row.subList(0, keys));
            long undercount = (Long) row.get(keys + 2);
            long less = (Long) truth.get(keys) - (Long) row.get(keys);
            assertTrue(less >= 0 && less <= undercount, row + " of " + truth);
            assertTrue(undercount > 0 || truth.get(keys + 1).equals(row.get(keys + 1)), "exact");
            assertTrue(undercount <= most, row + " of " + truth);
            assertEquals(most, row.get(keys + 3));
            low += less > 0 ? 1 : 0;
            said += undercount == 0 ? 1 : 0;
        }
        absent.values().forEach(row -> assertTrue((Long) row.get(keys) <= most, row + ": " + most));
        return new Found(low, said, absent.size());
    }
}
