package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.ScriptedFactory.Script;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Live sources come, fail, come back and go while queries run. */
@Timeout(120)
class LiveSourcesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final String QUERY =
            "SELECT window_start, src_addr, dst_addr, COUNT(*) AS n, is_partial FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr, dst_addr";
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** By window and host: the packets of its rows, and how many rows. */
    private final Map<String, Long> counted = new ConcurrentHashMap<>();

    private final Map<String, Integer> rows = new ConcurrentHashMap<>();
    private final Map<Long, Boolean> partial = new ConcurrentHashMap<>();
    private EmbeddedNode node;
    private RowProducer producer;
    private Thread reader;

    Shape shape() {
        return Shape.ONE;
    }

    private static String freshName() {
        return "s" + NAMES.incrementAndGet();
    }

    private static long at(double seconds) {
        return START_NS + (long) (seconds * SECOND_NS);
    }

    private EmbeddedNode open(String... uris) {
        node =
                new EmbeddedNode(
                        NodeSettings.DEFAULT.withShape(shape()),
                        Arrays.stream(uris)
                                .flatMap(uri -> Sources.parse(uri, "local").stream())
                                .toList());
        node.open();
        return node;
    }

    private void select() {
        Answer.Flow flow = (Answer.Flow) node.session(User.ANYBODY).prepare(QUERY);
        producer = flow.producer().get();
        reader = new Thread(() -> producer.produce(this::take), "rows");
        reader.start();
        await(() -> node.isRunning(1));
    }

    private synchronized void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long window = ((Number) batch.word(row, 0)).longValue();
            String key = window + " " + batch.value(row, 1);
            counted.merge(key, (Long) batch.value(row, 3), Long::sum);
            rows.merge(key, 1, Integer::sum);
            partial.put(window, (Boolean) batch.value(row, 4));
        }
    }

    private static void await(BooleanSupplier condition) {
        Await.until(condition::getAsBoolean);
    }

    private void run(String sql) {
        run(User.ANYBODY, sql);
    }

    private void run(User user, String sql) {
        Answer.Change change = (Answer.Change) node.session(user).prepare(sql);
        var unused = change.action().get();
    }

    private Map<String, String> source(String name) {
        for (List<String> row : show("SHOW SOURCES")) {
            if (row.get(0).equals(name)) {
                Map<String, String> named = new HashMap<>();
                for (int i = 0; i < row.size(); i++) {
                    named.put(SourceLine.HEADINGS.get(i), row.get(i));
                }
                return named;
            }
        }
        return Map.of();
    }

    private List<List<String>> show(String sql) {
        return ((Answer.Texts) node.session(User.ANYBODY).prepare(sql)).rows().get();
    }

    private void awaitState(String name, String state) {
        await(() -> state.equals(source(name).get("state")));
    }

    @AfterEach
    void close() throws InterruptedException {
        if (producer != null) {
            producer.stop();
            reader.join();
        }
        node.close();
    }

    @Test
    void aSourceThatGoesAwayIsOpenedAgain() {
        String name = freshName();
        Script script = ScriptedFactory.script(name);
        open("test:" + name);
        select();
        script.packet(at(0.5), 1).packet(at(1.5), 1).packet(at(2.5), 1).pass(at(2.5));
        await(script::isDone);
        script.close(ErrorCode.UNREADABLE_INPUT);
        script.fail(ErrorCode.SOURCE_GONE);
        awaitState("source1", "retrying");
        assertEquals("the wire is cut", source("source1").get("last_error"));
        await(() -> Integer.parseInt(source("source1").get("retries")) >= 2);
        script.open();
        awaitState("source1", "running");
        script.packet(at(5.5), 1).packet(at(6.5), 1).packet(at(7.5), 1).pass(at(7));
        await(() -> counted.containsKey(at(6) + " /10.0.0.1") || counted.size() >= 5);
        assertEquals(2, script.opened.get());
        assertEquals(false, partial.get(at(1)));
        assertEquals(true, partial.get(at(2)), "it ended here");
        assertEquals(true, partial.get(at(5)), "it came back here");
        assertEquals(false, partial.get(at(6)));
        assertEquals("6", source("source1").get("packets"));
        List<String> events = show("SHOW EVENTS").stream().map(row -> row.get(0)).toList();
        assertTrue(events.contains("source retrying"), events.toString());
    }

    /** SHOW SOURCES and the metrics may be asked while the node goes: its rings are free then. */
    @Test
    void aClosedNodeStillShowsItsSources() {
        String name = freshName();
        open("test:" + name);
        ScriptedFactory.script(name).packet(at(0.5), 1).pass(at(0.5));
        await(ScriptedFactory.script(name)::isDone);
        node.close();
        assertEquals("ended", source("source1").get("state"));
        assertEquals("0", source("source1").get("ring_fill_percent"));
    }

    @Test
    void oneThatCannotComeBackEndsAlone() {
        String good = freshName();
        String bad = freshName();
        open("test:" + good, "test:" + bad);
        select();
        ScriptedFactory.script(bad).packet(at(0.5), 2).pass(at(0.5));
        ScriptedFactory.script(good).packet(at(0.5), 1).pass(at(0.6));
        await(ScriptedFactory.script(bad)::isDone);
        ScriptedFactory.script(bad).fail(ErrorCode.NOT_ALLOWED);
        awaitState("source2", "failed");
        ScriptedFactory.script(good).packet(at(1.5), 1).packet(at(2.5), 1).pass(at(2.5));
        await(() -> counted.size() >= 3);
        assertEquals("running", source("source1").get("state"));
        assertEquals("the wire is cut", source("source2").get("last_error"));
        assertEquals(true, partial.get(at(0)));
        assertEquals(false, partial.get(at(1)), "the failed one is no part of this window");
    }

    @Test
    void oneThatFailsAtTheStartIsAnError() {
        String name = freshName();
        ScriptedFactory.script(name).close(ErrorCode.NOT_ALLOWED);
        open("test:" + name, "test:" + freshName());
        Answer.Flow flow = (Answer.Flow) node.session(User.ANYBODY).prepare(QUERY);
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () -> {
                            awaitState("source1", "failed");
                            flow.producer().get().produce(batch -> {});
                        });
        assertEquals(ErrorCode.NOT_ALLOWED, e.code());
    }

    @Test
    void aSourceWithoutPacketsHoldsNobodyBack() {
        String talks = freshName();
        String silent = freshName();
        open("test:" + talks, "test:" + silent);
        select();
        Script script = ScriptedFactory.script(talks);
        script.packet(at(0.5), 1).packet(at(1.5), 1).packet(at(2.5), 1).pass(at(2.5));
        await(() -> counted.size() >= 2);
        Script other = ScriptedFactory.script(silent);
        other.packet(at(0.7), 1).packet(at(2.7), 1).pass(at(4));
        script.pass(at(4));
        await(() -> counted.size() >= 3);
        assertEquals(1, other.late.get(), "its window was emitted");
        assertEquals(2, counted.values().stream().mapToLong(n -> n).max().orElseThrow());
        assertTrue(rows.values().stream().allMatch(n -> n == 1), rows.toString());
    }

    @Test
    void sourcesAreCreatedAndDropped() {
        String one = freshName();
        open();
        assertEquals(List.of(), show("SHOW SOURCES"));
        run(
                "CREATE QUERY totals AS SELECT COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
        run("CREATE SOURCE tap WITH (uri = 'test:" + one + "', node = 'tap1')");
        select();
        ScriptedFactory.script(one).packet(at(0.5), 1).pass(at(0.5));
        awaitState("tap", "running");
        assertEquals("tap1", source("tap").get("node"));
        assertEquals("test:" + one, source("tap").get("uri"));
        String two = freshName();
        run("CREATE SOURCE more WITH (uri = 'test:" + two + "?queues=2', lateness = '1s')");
        awaitState("more", "running");
        ScriptedFactory.script(two).packet(at(1.6), 1);
        ScriptedFactory.script(one).packet(at(1.5), 1).packet(at(2.5), 1);
        await(ScriptedFactory.script(two)::isDone);
        run("DROP SOURCE more");
        ScriptedFactory.script(one).pass(at(2.5));
        await(() -> counted.size() >= 2);
        assertEquals(2, counted.values().stream().mapToLong(n -> n).max().orElseThrow());
        assertEquals(Map.of(), source("more"));
        run("DROP SOURCE IF EXISTS more");
        WeirException e = assertThrows(WeirException.class, () -> run("DROP SOURCE more"));
        assertEquals("there is no source more", e.getMessage());
        run("DROP SOURCE tap");
        run("CREATE SOURCE tap WITH (uri = 'test:" + freshName() + "')");
        awaitState("tap", "running");
    }

    @Test
    void whatCannotBeCreatedIsAnError() {
        open("test:" + freshName());
        User operator = new User("op", Set.of(Role.OPERATOR));
        String create = "CREATE SOURCE x WITH (uri = 'test:x')";
        assertEquals(
                ErrorCode.NOT_ALLOWED,
                assertThrows(WeirException.class, () -> run(operator, create)).code());
        for (String settings :
                List.of(
                        "node = 'a'",
                        "uri = 'test:x', node = 'a b'",
                        "uri = 'nothing:x'",
                        "uri = 'test:x', lateness = '1h'",
                        "uri = 'test:x', colour = 'red'",
                        "uri = 'pcap:../../demo/capture.pcap'",
                        "uri = 5")) {
            WeirException e =
                    assertThrows(
                            WeirException.class,
                            () -> run("CREATE SOURCE x WITH (" + settings + ")"),
                            settings);
            assertEquals(ErrorCode.INVALID_OPTION, e.code(), settings);
            assertTrue(e.hint().isPresent(), settings);
        }
        run("CREATE SOURCE x WITH (uri = 'test:" + freshName() + "')");
        assertThrows(WeirException.class, () -> run(create));
    }

    @Test
    void theAccountStaysSmall() {
        String name = freshName();
        Script script = ScriptedFactory.script(name);
        open("test:" + name);
        for (int i = 0; i < 5; i++) {
            select();
            producer.stop();
            await(() -> !reader.isAlive());
        }
        script.packet(at(0.5), 1).pass(at(0.5)).fail(ErrorCode.SOURCE_GONE);
        await(() -> script.opened.get() == 2);
        script.packet(at(1.5), 1).pass(at(1.5));
        await(() -> "2".equals(source("source1").get("packets")));
        List<List<String>> pages = show("SHOW ACCOUNT");
        assertFalse(pages.toString().contains("select_"), pages.toString());
        assertTrue(
                pages.stream()
                        .anyMatch(row -> row.subList(0, 3).equals(List.of("capture", "2", "2"))));
    }

    /** Each packet in time is in one row, however its source comes and goes. */
    @Test
    void packetsAreCountedOnce() {
        long seed = Long.getLong("weir.seed", 64);
        Random random = new Random(seed);
        List<String> names = List.of(freshName(), freshName(), freshName());
        open("test:" + names.get(0));
        select();
        Set<String> there = ConcurrentHashMap.newKeySet();
        there.add(names.get(0));
        Map<String, String> known = new TreeMap<>(Map.of(names.get(0), "source1"));
        for (int tick = 1; tick < 200; tick++) {
            String name = names.get(random.nextInt(names.size()));
            Script script = ScriptedFactory.script(name);
            int what = random.nextInt(12);
            if (there.contains(name)) {
                for (int i = 0; i < 3; i++) {
                    script.packet(at(tick / 10.0 + random.nextDouble()), random.nextInt(3));
                }
                script.pass(at(tick / 10.0));
                await(script::isDone);
                if (what == 0) {
                    long before = script.opened.get();
                    script.fail(ErrorCode.SOURCE_GONE);
                    await(() -> script.opened.get() > before);
                } else if (what == 1 && there.size() > 1) {
                    run("DROP SOURCE " + known.get(name));
                    there.remove(name);
                }
            } else if (what < 4) {
                run("CREATE SOURCE " + name + " WITH (uri = 'test:" + name + "')");
                known.put(name, name);
                there.add(name);
            }
        }
        List<Script> scripts = names.stream().map(ScriptedFactory::script).toList();
        there.forEach(name -> ScriptedFactory.script(name).pass(at(100)));
        long inTime = scripts.stream().mapToLong(s -> s.sent.get() - s.late.get()).sum();
        List<Long> sums = new ArrayList<>();
        await(
                () -> {
                    sums.add(counted.values().stream().mapToLong(n -> n).sum());
                    return sums.get(sums.size() - 1) >= inTime;
                });
        assertEquals(inTime, sums.get(sums.size() - 1), "seed " + seed);
        assertTrue(rows.values().stream().allMatch(n -> n == 1), "seed " + seed + " " + rows);
    }
}
