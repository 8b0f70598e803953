package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.Patience;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.OutboxRow;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Clock;
import io.weir.operators.when.WhenState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is killed at any point of its turns, or ends in order, and begins again, several times.
 * What its conditions wake, end and renew, here and elsewhere, is what a reader of the rows that
 * are in its outbox makes of them, one after another, as if there had been one process; and the
 * rows of what is awake here count the packets of these times.
 */
final class ConditionsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long LATENESS_NS = SECOND_NS / 5;
    private static final long TIMEOUT_NS = SECOND_NS / 2;
    private static final int ROUNDS = 20;
    private static final int LIVES = 8;
    private static final int MOST_SECONDS = 10;
    private static final int WAKES = 6;
    private static final int ENDS = 1;
    private static final int FOR_S = 3;
    private static final String SECOND =
            " AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String WHEN = SECOND + " WHEN load.n >= " + WAKES;

    private static final List<Query> QUERIES =
            queries(
                    "CREATE QUERY load"
                            + SECOND
                            + "; CREATE QUERY ever"
                            + WHEN
                            + "; CREATE QUERY ends"
                            + WHEN
                            + " UNTIL load.n <= "
                            + ENDS
                            + "; CREATE QUERY forsome"
                            + WHEN
                            + " FOR INTERVAL '"
                            + FOR_S
                            + "' SECOND;");

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 29);
    private final Random random = new Random(seed);
    private int kills;
    private int resumed;
    private boolean watched;
    private int second;

    /** Packets of each second, and in which life it was. */
    private final Map<Integer, List<Long>> packets = new TreeMap<>();

    private final Map<Integer, Integer> lives = new TreeMap<>();
    private final List<Boolean> killed = new ArrayList<>();

    /** The process has ended. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private record Span(long fromNs, long untilNs) {}

    private static List<Query> queries(String text) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        return node.load(node.frontend().parse(text)).queries();
    }

    @Test
    void conditionsGoOnAfterAnyEnd() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            packets.clear();
            lives.clear();
            killed.clear();
            second = 0;
            watched = random.nextBoolean();
            Path files = directory.resolve("" + round);
            for (int life = 0; life < LIVES; life++) {
                live(files, life);
                second += 1 + random.nextInt(2) * random.nextInt(2 * FOR_S);
            }
            check(files);
        }
        assertTrue(kills > ROUNDS, kills + " killed");
        assertTrue(resumed > ROUNDS, resumed + " resumed");
    }

    private void live(Path files, int life) throws Exception {
        boolean kill = false;
        try (Outbox outbox =
                        new Outbox(
                                files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless());
                LocalEngine engine =
                        new LocalEngine(
                                EngineOptions.DEFAULT.withTime(LATENESS_NS, TIMEOUT_NS),
                                new Account())) {
            Conditions conditions = attached(outbox, engine);
            conditions.begin(second * SECOND_NS, true);
            count(engine, life);
        } catch (Killed end) {
            kills++;
            kill = true;
        }
        killed.add(kill);
    }

    private Conditions attached(Outbox outbox, LocalEngine engine) {
        Conditions conditions = new Conditions(outbox.note("conditions"));
        FiredRows rows = new FiredRows(outbox, conditions, new LossLedger(outbox.note("told")));
        ConditionWatches watches =
                new ConditionWatches(
                        engine, Clock.SYSTEM, "a", rows, conditions, message -> perhapsKilled(25));
        engine.addListener(new Keeping(rows, conditions));
        for (Query query : QUERIES) {
            Definition definition = new Definition(query, 1, 1);
            OutboxSink sink =
                    new OutboxSink(
                            query, 1, rows, RowFormats.PLAIN.encoder(query, "topic"), Clock.SYSTEM);
            if (query.when().isPresent()) {
                conditions.attached(definition, false, active -> resume(engine, query, active));
            }
            engine.add(KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()), killing(sink));
            if (query.when().isPresent() && watched) {
                watches.watch(definition, List.of(1L));
            }
        }
        engine.start();
        return conditions;
    }

    private void resume(LocalEngine engine, Query query, WhenState.Change active) {
        resumed++;
        engine.resume(query.name(), active);
    }

    private record Keeping(FiredRows rows, Conditions conditions) implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {}

        @Override
        public void fired(Query query, WhenState.Change change) {
            rows.fired();
            conditions.fired(query, change);
        }
    }

    private RowSink killing(OutboxSink sink) {
        return batch -> {
            perhapsKilled(25);
            sink.rows(batch);
            perhapsKilled(25);
        };
    }

    private void perhapsKilled(int often) {
        if (random.nextInt(often) == 0) {
            throw new Killed();
        }
    }

    /** Seconds with many packets or few, and some with none. */
    private void count(LocalEngine engine, int life) {
        for (int end = second + random.nextInt(MOST_SECONDS); second < end; second++) {
            int many = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(WAKES + 2);
            List<Long> times = new ArrayList<>();
            for (int p = 0; p < many; p++) {
                times.add(second * SECOND_NS + random.nextInt((int) SECOND_NS));
            }
            times.sort(null);
            packets.put(second, times);
            lives.put(second, life);
            times.forEach(timeNs -> pass(engine, timeNs));
        }
        engine.awaitEnd();
    }

    private void pass(LocalEngine engine, long timeNs) {
        while (timeNs >= engine.throttle().holdAtNs()) {
            engine.writers().get(0).flush(timeNs);
            engine.throttle().settle();
        }
        new RandomGpv(random, GpvLayout.FULL_V4, 1, timeNs).writeTo(engine.writers().get(0), false);
        engine.poll();
    }

    private void check(Path files) throws Exception {
        Map<String, Map<Integer, Long>> rows = new TreeMap<>();
        Map<String, Map<Long, Long>> told = new TreeMap<>();
        QUERIES.forEach(query -> rows.put(query.name(), new TreeMap<>()));
        try (Outbox outbox =
                        new Outbox(
                                files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless());
                OutboxReader reader = outbox.reader()) {
            reader.seek(0);
            Optional<OutboxReader.Entry> entry = reader.next();
            for (; entry.isPresent(); entry = reader.next()) {
                read(OutboxRow.parseFrom(entry.get().bytes()), rows, told);
            }
        }
        for (Query query : QUERIES.subList(1, QUERIES.size())) {
            String name = query.name();
            List<Span> spans = spans(name, rows.get("load"));
            Map<Long, Long> expected = new TreeMap<>();
            spans.forEach(span -> expected.put(span.fromNs(), span.untilNs()));
            String hint = name + ", -Dweir.seed=" + seed;
            assertEquals(watched ? expected : Map.of(), told.getOrDefault(name, Map.of()), hint);
            checkRows(spans, rows.get("load"), rows.get(name), hint);
        }
    }

    private static void read(
            OutboxRow row, Map<String, Map<Integer, Long>> rows, Map<String, Map<Long, Long>> told)
            throws Exception {
        if (row.getFormat() == 1) {
            long n = Long.parseLong(row.getValue().toStringUtf8().replaceAll("\\D", ""));
            int second = (int) Math.floorDiv(row.getWindowEndNs() - 1, SECOND_NS);
            rows.get(row.getQuery()).merge(second, n, Long::sum);
            return;
        }
        TriggerRecord trigger = TriggerRecord.parseFrom(row.getValue());
        Activity activity = trigger.hasWake() ? trigger.getWake() : trigger.getUntil();
        told.computeIfAbsent(trigger.getQuery(), name -> new TreeMap<>())
                .put(activity.getFromNs(), activity.getUntilNs());
    }

    /** What rows do to a condition, one after another. */
    private static List<Span> spans(String name, Map<Integer, Long> load) {
        List<Span> spans = new ArrayList<>();
        boolean awake = false;
        for (Map.Entry<Integer, Long> row : load.entrySet()) {
            long actsNs = (row.getKey() + 1) * SECOND_NS + LATENESS_NS + TIMEOUT_NS;
            Span last = spans.isEmpty() ? null : spans.get(spans.size() - 1);
            long endNs = name.equals("forsome") ? actsNs + FOR_S * SECOND_NS : Long.MAX_VALUE;
            awake &= last != null && actsNs <= last.untilNs();
            if (!awake && row.getValue() >= WAKES) {
                spans.add(new Span(actsNs, endNs));
                awake = true;
            } else if (awake && name.equals("forsome") && row.getValue() >= WAKES) {
                spans.set(spans.size() - 1, new Span(last.fromNs(), endNs));
            } else if (awake && name.equals("ends") && row.getValue() <= ENDS) {
                spans.set(spans.size() - 1, new Span(last.fromNs(), actsNs));
                awake = false;
            }
        }
        return spans;
    }

    /** What is there is right, and what was emitted before another row of that life is there. */
    private void checkRows(
            List<Span> spans, Map<Integer, Long> load, Map<Integer, Long> rows, String hint) {
        Map<Integer, Long> expected = new TreeMap<>();
        Map<Integer, Integer> latest = new TreeMap<>();
        load.keySet().forEach(row -> latest.merge(lives.get(row), row, Math::max));
        packets.forEach(
                (at, times) -> {
                    int life = lives.get(at);
                    boolean open = killed.get(life) && at >= latest.getOrDefault(life, -1);
                    long in = times.stream().filter(time -> isIn(spans, time)).count();
                    if (in > 0 && (!open || rows.containsKey(at))) {
                        expected.put(at, in);
                    }
                });
        assertEquals(expected, rows, hint);
    }

    private static boolean isIn(List<Span> spans, long timeNs) {
        return spans.stream().anyMatch(s -> timeNs >= s.fromNs() && timeNs < s.untilNs());
    }
}
