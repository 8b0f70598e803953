package io.weir.cluster.kafka.heartbeat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.StageCounts;
import io.weir.cluster.wire.Wakes;
import io.weir.operators.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Who is waited for, when workers and when Kafka fall silent. The clock is the test's. */
class WorkerTableTest {
    private static final long PASSED = 77;

    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_000));
    private final WorkerTable table =
            new WorkerTable(KafkaSettings.of("127.0.0.1:9").with(clock), Duration.ofSeconds(10));

    private void beats(long waiting, String... workers) {
        for (String worker : workers) {
            byte[] beat =
                    Heartbeat.newBuilder()
                            .setFormat(Heartbeats.FORMAT)
                            .setWorker(worker)
                            .setPartialsWaiting(waiting)
                            .setPartialsPassedNs(PASSED)
                            .build()
                            .toByteArray();
            table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
        }
    }

    /** For so long each of them beats every half second. */
    private void pass(long ms, String... workers) {
        for (long t = 0; t < ms; t += 500) {
            clock.pass(Duration.ofMillis(500));
            beats(0, workers);
        }
    }

    @Test
    void oneThatIsSilentWhileOthersAreNotIsWaitedForNoMore() {
        pass(2_000, "a", "b");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        pass(2_500, "a");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        pass(1_000, "a");
        assertEquals(Map.of("a", PASSED), table.awaited());
        beats(7, "b");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
    }

    /** All are silent for minutes: it is Kafka, and who lived before may come back one by one. */
    @Test
    void whileKafkaIsAwayNobodyIsGivenUp() {
        pass(5_000, "a", "b", "c");
        pass(4_000, "a", "b");
        clock.pass(Duration.ofMinutes(3));
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        assertTrue(table.workers().stream().allMatch(WorkerTable.Worker::isMissing));
        beats(0, "a");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
        pass(10_000, "a");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
        pass(15_000, "a");
        assertEquals(Map.of("a", PASSED), table.awaited());
        beats(0, "b");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
    }

    /** What workers do when a server still tells that it is there: then it is they who are gone. */
    @Test
    void whoIsSilentWhileServersAreNotIsGone() {
        pass(5_000, "a", "b");
        for (int t = 0; t < 10; t++) {
            clock.pass(Duration.ofMillis(500));
            byte[] beat =
                    Heartbeat.newBuilder()
                            .setFormat(Heartbeats.SERVER_FORMAT)
                            .setWorker("server")
                            .build()
                            .toByteArray();
            table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
        }
        assertEquals(Map.of(), table.awaited());
        assertEquals(2, table.workers().size());
    }

    /** With fields that nobody knows it is one as any; in a format that nobody knows it is none. */
    @Test
    void beatsOfOtherReleases() {
        long seed = Long.getLong("weir.seed", 53);
        Random random = new Random(seed);
        for (int n = 0; n < 200; n++) {
            Heartbeat beat =
                    Heartbeat.newBuilder()
                            .setFormat(Heartbeats.FORMAT)
                            .setWorker("w" + n)
                            .setLife("1")
                            .setPackets(n)
                            .setStatesNumber(1)
                            .addQuery(QueryState.newBuilder().setName("q").setVersion(n))
                            .addStage(StageCounts.newBuilder().setName("s").putLost("x", n))
                            .build();
            boolean known = random.nextInt(3) > 0;
            byte[] sent =
                    (known ? Releases.later(beat, random) : Releases.ofOtherFormat(beat))
                            .toByteArray();
            table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, sent)), 1);
            WorkerTable.Worker seen =
                    table.workers().stream()
                            .filter(w -> w.beat().getWorker().equals(beat.getWorker()))
                            .findFirst()
                            .orElse(null);
            assertEquals(known, seen != null, "-Dweir.seed=" + seed + ", " + n);
            if (known) {
                assertEquals(n, seen.beat().getPackets());
                assertEquals(n, seen.beat().getQuery(0).getVersion());
                assertEquals(n, seen.beat().getStage(0).getLostOrThrow("x"));
                assertTrue(seen.hasStates());
            }
        }
        // Before states were told only when they change: in each record, without a number.
        Heartbeat first =
                Heartbeat.newBuilder()
                        .setFormat(Heartbeats.FORMAT)
                        .setWorker("early")
                        .addQuery(QueryState.newBuilder().setName("q"))
                        .build();
        byte[] sent = first.toByteArray();
        table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, sent)), 1);
        assertTrue(table.workers().stream().allMatch(WorkerTable.Worker::hasStates));
    }

    /** A random life of queries: who listens has each state, or knows that it has not. */
    @Test
    void statesAreToldWhenTheyChangeAndEveryTenSeconds() {
        long seed = Long.getLong("weir.seed", 3);
        Random random = new Random(seed);
        Heartbeats.States states = new Heartbeats.States();
        List<QueryState> now = new ArrayList<>();
        long bytes = 0;
        long sinceLostMs = 0;
        for (int beat = 0; beat < 5_000; beat++) {
            clock.pass(Duration.ofMillis(500));
            sinceLostMs += 500;
            if (random.nextInt(60) == 0) {
                now.add(QueryState.newBuilder().setName("q" + beat).setVersion(beat).build());
            }
            StageCounts counts = StageCounts.newBuilder().setOffered(clock.millis()).build();
            List<QueryState> told =
                    now.stream().map(q -> q.toBuilder().setCounts(counts).build()).toList();
            Heartbeat sent =
                    states.thin(
                                    Heartbeat.newBuilder().addAllQuery(told),
                                    TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                            .setFormat(Heartbeats.FORMAT)
                            .setLife("1")
                            .setWorker("a")
                            .build();
            bytes += sent.getQueryCount();
            if (random.nextInt(40) == 0) {
                sinceLostMs = 0;
                if (random.nextBoolean()) {
                    states.due(); // and Kafka has said so
                }
                continue;
            }
            byte[] record = sent.toByteArray();
            table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, record)), 1);
            WorkerTable.Worker seen = table.workers().get(0);
            if (seen.hasStates()) {
                assertEquals(
                        now,
                        seen.beat().getQueryList().stream()
                                .map(q -> q.toBuilder().clearCounts().build())
                                .toList(),
                        "-Dweir.seed=" + seed);
                for (QueryState query : seen.beat().getQueryList()) {
                    long oldMs = clock.millis() - query.getCounts().getOffered();
                    assertTrue(
                            oldMs <= 10_500 || sinceLostMs <= 10_500,
                            "-Dweir.seed=" + seed + ": " + oldMs);
                }
            } else {
                assertTrue(sinceLostMs <= 10_500, "-Dweir.seed=" + seed + ": " + sinceLostMs);
            }
        }
        assertTrue(bytes < 5_000L * now.size() / 8, bytes + " of " + 5_000L * now.size());
    }

    /** A window is whole when all who run its query, and go on, have passed it. */
    @Test
    void rowsHavePassedWithTheSlowestWhoGoesOn() {
        assertEquals(Long.MAX_VALUE, table.rowsPassedNs("q", 1));
        passed("a", 50, 1);
        passed("b", 30, 1);
        passed("c", 10, 2);
        assertEquals(30, table.rowsPassedNs("q", 1));
        assertEquals(10, table.rowsPassedNs("q", 2));
        for (int t = 0; t < 21; t++) {
            clock.pass(Duration.ofMillis(500));
            passed("a", 60 + t, 1);
            passed("b", 30, 1);
        }
        assertEquals(80, table.rowsPassedNs("q", 1), "b has stood for long");
        passed("b", 31, 1);
        assertEquals(31, table.rowsPassedNs("q", 1));
        clock.pass(Duration.ofMillis(3_500));
        passed("a", 90, 1);
        assertEquals(90, table.rowsPassedNs("q", 1), "b is missing");
        beats(0, "old");
        assertEquals(90, table.rowsPassedNs("q", 1));
    }

    @Test
    void serversAreNoWorkersAndTellOfTheirMerge() {
        StageCounts messages = StageCounts.newBuilder().setName("p").setOffered(3).build();
        Heartbeat beat =
                Heartbeat.newBuilder()
                        .setFormat(Heartbeats.SERVER_FORMAT)
                        .setWorker("id")
                        .setOwner("host")
                        .addStage(messages)
                        .build();
        byte[] bytes = beat.toByteArray();
        table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, bytes)), 1);
        assertEquals(List.of(beat), table.servers());
        assertEquals(List.of(), table.workers());
        assertEquals(Map.of(), table.awaited());
        clock.pass(Duration.ofMinutes(61));
        assertEquals(List.of(), table.servers());
    }

    private void passed(String worker, long passedNs, long version) {
        byte[] beat =
                Heartbeat.newBuilder()
                        .setFormat(Heartbeats.FORMAT)
                        .setWorker(worker)
                        .setStatesNumber(1)
                        .setRowsPassedNs(passedNs)
                        .addQuery(
                                QueryState.newBuilder()
                                        .setName("q")
                                        .setVersion(version)
                                        .setState(QueryState.State.RUNNING))
                        .build()
                        .toByteArray();
        table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
    }

    /** A wake is told within two seconds, other states within ten. */
    @Test
    void aWakeIsToldSooner() {
        Heartbeats.States states = new Heartbeats.States();
        QueryState asleep = QueryState.newBuilder().setName("q").setVersion(1).build();
        QueryState woken =
                asleep.toBuilder().setWakes(Wakes.newBuilder().setCount(1).setFromNs(7)).build();
        assertFalse(thin(states, asleep, 0).getStatesOmitted());
        assertTrue(thin(states, asleep, 9_000).getStatesOmitted());
        Heartbeat told = thin(states, woken, 9_500);
        assertEquals(List.of(woken), told.getQueryList());
        assertEquals(1, told.getStatesNumber());
        assertTrue(thin(states, woken, 12_000).getStatesOmitted());
    }

    private static Heartbeat thin(Heartbeats.States states, QueryState query, long ms) {
        Heartbeat.Builder beat = Heartbeat.newBuilder().addQuery(query);
        return states.thin(beat, TimeUnit.MILLISECONDS.toNanos(ms)).build();
    }

    private void beat(String life, Heartbeat.End end) {
        byte[] beat =
                Heartbeat.newBuilder()
                        .setFormat(Heartbeats.FORMAT)
                        .setWorker("a")
                        .setLife(life)
                        .setEnd(end)
                        .build()
                        .toByteArray();
        table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
    }

    @Test
    void oneThatHasEndedInOrderIsNotMissing() {
        beat("1", Heartbeat.End.GOES_ON);
        beat("1", Heartbeat.End.IN_ORDER);
        clock.pass(Duration.ofMinutes(1));
        assertTrue(table.workers().get(0).hasEnded());
        assertFalse(table.workers().get(0).isMissing());
        beat("2", Heartbeat.End.GOES_ON);
        clock.pass(Duration.ofMinutes(1));
        assertFalse(table.workers().get(0).hasEnded());
        assertTrue(table.workers().get(0).isMissing());
        beat("2", Heartbeat.End.FAILED);
        clock.pass(Duration.ofMinutes(1));
        assertTrue(table.workers().get(0).isMissing());
    }

    /** As of a slice that moves, or of a process that was frozen and replaced. */
    @Test
    void theLateEndOfAnOlderLifeIsNotThatOfTheOneThatLives() {
        beat("1", Heartbeat.End.GOES_ON);
        beat("2", Heartbeat.End.GOES_ON);
        beat("1", Heartbeat.End.IN_ORDER);
        assertFalse(table.workers().get(0).hasEnded());
        assertEquals("2", table.workers().get(0).beat().getLife());
    }
}
