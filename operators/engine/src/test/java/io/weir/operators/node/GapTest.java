package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.graph.Window;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.RowContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Inputs with gaps, shorter and longer than FOR, so that one block passes the end of an activation
 * and the rows that renew it: whole engines of random times and shapes against the interpreter.
 */
@Timeout(300)
final class GapTest {
    private static final long MS_NS = 1_000_000;
    private static final int RUNS = Integer.getInteger("weir.test.gaps", 60);
    private static final int[][] SHAPES = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};

    /** Random times, and queries over them. */
    private static final class Story {
        final EngineOptions options;
        final Query up;
        final Query windows;
        final Query total;
        final Query until;
        final Query chained;
        final Query overTotal;
        final Query rows;
        final List<Packet> packets = new ArrayList<>();

        Story(Random random) {
            long latenessNs = oneOf(random, 0, 100, 500, 1000) * MS_NS;
            long timeoutNs = oneOf(random, 0, 100, 500, 1000, 3000) * MS_NS;
            options =
                    EngineOptions.DEFAULT
                            .withTime(latenessNs, timeoutNs)
                            .withMemory(256L << 20, 32L << 20);
            double length = oneOf(random, 100, 500, 700, 2000, 5000) / 1000.0;
            Double same = length;
            up = Graphs.counts("up", window(random), null);
            windows = counts("windows", random, Graphs.when(up, random.nextInt(3), null, same));
            total = counts("total", null, Graphs.when(up, random.nextInt(3), null, same));
            until = counts("until", random, Graphs.when(up, 1, 2L, null));
            chained = counts("chained", random, Graphs.when(windows, 0, null, same));
            overTotal = counts("over_total", random, Graphs.when(total, 1, null, same));
            rows = Graphs.counts("rows", Graphs.rowsOf(windows), "n", window(random), null);
            long longestMs = (long) (2000 * length) + 2 * options.delayNs() / MS_NS + 2000;
            long nowNs = 1_700_000_000L * Graphs.SECOND_NS;
            for (int p = 4 + random.nextInt(50); p > 0; p--) {
                boolean gap = random.nextInt(5) == 0;
                nowNs += (1 + random.nextInt(gap ? (int) longestMs : 300)) * MS_NS;
                packets.add(packet(random, nowNs));
            }
        }

        List<Query> queries() {
            return List.of(up, windows, total, until, chained, overTotal, rows);
        }

        private static Query counts(String name, Random random, When when) {
            return Graphs.counts(
                    name, random == null ? Optional.empty() : window(random), when, "dst_port");
        }
    }

    private static long oneOf(Random random, long... values) {
        return values[random.nextInt(values.length)];
    }

    private static Optional<Window> window(Random random) {
        double seconds = oneOf(random, 200, 500, 1000, 1500) / 1000.0;
        return random.nextInt(3) == 0 ? Graphs.hop(2 * seconds, seconds) : Graphs.tumble(seconds);
    }

    private static Packet packet(Random random, long timeNs) {
        boolean back = random.nextInt(8) == 0;
        long tsNs = timeNs - (back ? random.nextInt(400) * MS_NS : 0);
        Inet src = Inet.v4(0x0A000000 + random.nextInt(5));
        return new Packet(tsNs, src, Inet.v4(0x0B000000), 1, random.nextInt(2), 17, 100);
    }

    @Test
    void whatRenewsForIsSeenBeforeItEnds() {
        long base = Long.getLong("weir.seed", 1);
        int spans = 0;
        for (long seed = base; seed < base + RUNS; seed++) {
            try {
                spans += run(seed);
            } catch (AssertionError failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(spans > RUNS, spans + " activations of " + RUNS + " runs, from " + base);
    }

    private static int run(long seed) {
        Random random = new Random(seed);
        Story story = new Story(random);
        Run first = null;
        for (int[] shape : SHAPES) {
            int blockBytes = 2048 << random.nextInt(4);
            EngineOptions options =
                    story.options.withShape(shape[0], shape[1]).withBlocks(blockBytes, 1 << 17);
            Run run = new Run(story.queries(), story.packets, options, random.nextLong());
            if (first == null) {
                first = run;
            }
            String where = shape[0] + "×" + shape[1];
            assertEquals(first.fired, run.fired, where);
            assertEquals(first.rows, run.rows, where);
        }
        return against(story, first);
    }

    private static int against(Story story, Run run) {
        assertEquals(new Interpreter(story.up).run(run.events()), run.rows.get("up"));
        int spans = against(story, run, story.up, story.windows);
        spans += against(story, run, story.up, story.total);
        spans += against(story, run, story.up, story.until);
        return spans + against(story, run, story.windows, story.chained);
    }

    private static int against(Story story, Run run, Query upstream, Query query) {
        NaiveWhen when = new NaiveWhen(story.options.delayNs(), run.rows.get(upstream.name()));
        List<Interpreter.Event> events = run.events().stream().filter(e -> !e.late()).toList();
        List<Interpreter.Output> expected = new ArrayList<>();
        List<NaiveWhen.Span> spans = when.activations(query);
        for (NaiveWhen.Span span : spans) {
            RowContext context = new RowContext(0, 1, span.fromNs());
            expected.addAll(
                    new Interpreter(query, context).run(events, span.fromNs(), span.untilNs()));
        }
        assertEquals(expected, run.rows.get(query.name()), query.name());
        return spans.size();
    }
}
