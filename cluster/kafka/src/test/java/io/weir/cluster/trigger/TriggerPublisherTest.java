package io.weir.cluster.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.when.WhenState;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of triggers while Kafka is away. */
@Timeout(600)
class TriggerPublisherTest {
    private static final long AWAY_S = Long.getLong("weir.away.s", 3);

    private static final long PLACE_MS = 60_000;

    @TempDir private Path directory;
    private final Stage told = new Stage("triggers");
    private final List<String> replaced = new CopyOnWriteArrayList<>();
    private final List<String> woken = new CopyOnWriteArrayList<>();

    /**
     * A query is woken once: it comes late, but it comes. {@code -Dweir.away.s=130} waits longer.
     */
    @Test
    void oneThatWaitedIsHeard() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
        BrokerSettings same = broker.settings();
        KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
        Topics.ensure(kafka);
        try (TriggerPublisher publisher = publisher(kafka, "a")) {
            publisher.write("before", 1, WhenState.Change.wake(5, 6), () -> {});
            await(() -> told.processed().value() == 1);
            broker.close();
            publisher.write("while", 1, WhenState.Change.wake(5, 6), () -> {});
            Thread.sleep(AWAY_S * 1_000);
            assertTrue(told.snapshot().lostInAll() == 0, told.snapshot().toString());
            broker = EmbeddedBroker.start(same);
            try (TriggerFollower follower = follower(kafka)) {
                await(() -> woken.size() == 2);
                assertEquals(List.of("before", "while"), woken);
                assertEquals(0, follower.unread());
            }
            await(() -> told.processed().value() == 2);
        } finally {
            broker.close();
        }
        assertTrue(told.snapshot().isBalanced());
    }

    /** Who tells it does not wait for that: it is the thread of all results. */
    @Test
    void thoseFromBeforeKafkaIsThereAreHeard() throws Exception {
        BrokerSettings same;
        KafkaSettings kafka;
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            same = broker.settings();
            kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
        }
        try (TriggerPublisher publisher = publisher(kafka, "a")) {
            for (int i = 0; i < 1_000; i++) {
                publisher.write("q" + i, 1, WhenState.Change.wake(5, 6), () -> {});
            }
            assertEquals(0, told.snapshot().lostInAll());
            try (EmbeddedBroker broker = EmbeddedBroker.start(same);
                    TriggerFollower follower = follower(KafkaSettings.of(broker.bootstrap()))) {
                await(() -> woken.size() == 1_000);
                assertEquals(0, follower.unread());
                await(() -> told.processed().value() == 1_000);
                assertEquals("q0", woken.get(0));
            }
        }
        assertTrue(told.snapshot().isBalanced());
    }

    @Test
    void oneThatCannotBeToldIsCounted() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
        Topics.ensure(KafkaSettings.of(broker.bootstrap()));
        try (TriggerPublisher publisher =
                publisher(KafkaSettings.of(broker.bootstrap()), "a", Duration.ofSeconds(1))) {
            publisher.write("q", 1, WhenState.Change.wake(5, 6), () -> {});
            await(() -> told.processed().value() == 1);
            broker.close();
            publisher.write("q", 1, WhenState.Change.wake(7, 8), () -> {});
            await(() -> told.lost("not_told").value() == 1);
            publisher.write("q", 1, WhenState.Change.until(7, 9), () -> {});
        }
        assertEquals(1, told.lost("not_told").value());
        assertEquals(1, told.excluded("kept").value()); // by who told it, at the end
        assertTrue(told.snapshot().isBalanced());
    }

    /** Its process was frozen with its wakes before brokers had them, or before it made them. */
    @Test
    void oneThatWasReplacedTellsNothing() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
            try (TriggerFollower follower = follower(kafka);
                    TriggerPublisher old = publisher(kafka, "old")) {
                old.write("before", 1, WhenState.Change.wake(5, 6), () -> {});
                await(() -> woken.contains("before"));
                try (TriggerPublisher young = publisher(kafka, "young")) {
                    assertTrue(young.awaitPlace(PLACE_MS));
                    old.write("after", 1, WhenState.Change.wake(7, 8), () -> {});
                    old.write("before", 1, WhenState.Change.until(5, 7), () -> {});
                    young.write("by another", 1, WhenState.Change.wake(9, 10), () -> {});
                    await(() -> replaced.equals(List.of("old")) && woken.contains("by another"));
                    old.write("later", 1, WhenState.Change.wake(7, 8), () -> {});
                    young.write("at last", 1, WhenState.Change.wake(9, 10), () -> {});
                    await(() -> woken.contains("at last"));
                }
                assertEquals(List.of("before", "by another", "at last"), woken);
                assertEquals(0, follower.unread());
            }
        }
        assertEquals(3, told.excluded("replaced").value());
        assertEquals(3, told.processed().value());
        assertEquals(List.of("old"), replaced);
        assertTrue(told.snapshot().isBalanced());
    }

    /** Brokers give a transaction up that took too long, as of a process that was only frozen. */
    @Test
    void oneWhosePlaceIsStillItsOwnGoesOn() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
                Admin admin = Admin.create(KafkaSettings.of(broker.bootstrap()).client("test"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
            try (TriggerFollower follower = follower(kafka);
                    TriggerPublisher publisher = publisher(kafka, "a")) {
                publisher.write("before", 1, WhenState.Change.wake(5, 6), () -> {});
                await(() -> woken.contains("before"));
                KafkaCalls.await(admin.fenceProducers(List.of("weir-worker-w triggers")).all());
                publisher.write("after", 1, WhenState.Change.wake(7, 8), () -> {});
                await(() -> woken.contains("after"));
                assertEquals(0, follower.unread());
            }
        }
        assertEquals(List.of(), replaced);
        assertEquals(0, told.snapshot().lostInAll());
        assertTrue(told.snapshot().isBalanced());
    }

    /** What is left of each key is enough to know what is awake, and what has ended. */
    @Test
    void whatIsKeptTellsWhatIsAwake() throws Exception {
        Map<String, String> kept = new ConcurrentSkipListMap<>();
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            try (TriggerPublisher publisher =
                    publisher(KafkaSettings.of(broker.bootstrap()), "a")) {
                publisher.write("q", 1, WhenState.Change.wake(5, 6), () -> {});
                publisher.write("q", 1, WhenState.Change.until(5, 6), () -> {});
                publisher.write("q", 1, WhenState.Change.wake(7, Long.MAX_VALUE), () -> {});
                publisher.settled(8);
                publisher.write("other", 1, WhenState.Change.wake(9, Long.MAX_VALUE), () -> {});
                await(() -> told.processed().value() == 4);
            }
            TopicTail.Reader keeps =
                    new TopicTail.Reader() {
                        @Override
                        public void read(
                                List<ConsumerRecord<byte[], byte[]>> records, long position) {
                            records.forEach(r -> kept.put(new String(r.key(), UTF_8), what(r)));
                        }

                        @Override
                        public void failed(WeirException failure) {
                            throw failure;
                        }
                    };
            try (TopicTail tail =
                    new TopicTail(
                            KafkaSettings.of(broker.bootstrap()),
                            "test",
                            Topics.TRIGGERS,
                            TopicTail.Start.BEGINNING,
                            keeps)) {
                tail.start();
                await(() -> kept.size() == 5);
            }
        }
        assertEquals("7", kept.get("wake q"));
        assertEquals("5", kept.get("until q"));
        assertEquals("9", kept.get("wake other"));
        assertTrue(kept.containsKey("ready a"), kept.toString());
    }

    /** When what it tells of began. */
    private static String what(ConsumerRecord<byte[], byte[]> record) {
        try {
            TriggerRecord told = TriggerRecord.parseFrom(record.value());
            long fromNs = told.hasWake() ? told.getWake().getFromNs() : told.getUntil().getFromNs();
            return Long.toString(fromNs);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private TriggerPublisher publisher(KafkaSettings kafka, String life) {
        return publisher(kafka, life, Duration.ofDays(1));
    }

    private TriggerPublisher publisher(KafkaSettings kafka, String life, Duration patience) {
        SenderPlace place = new SenderPlace(kafka, "w triggers", "weir-worker-w triggers", life);
        return new TriggerPublisher(
                kafka, place, life, told, cause -> replaced.add(life), patience);
    }

    private TriggerFollower follower(KafkaSettings kafka) {
        return new TriggerFollower(
                        kafka,
                        "b",
                        new WokenQueries(woken),
                        failure -> {
                            throw failure;
                        })
                .start();
    }

    private void await(BooleanSupplier isSo) throws InterruptedException {
        Await.until(isSo::getAsBoolean, () -> told.snapshot() + " " + woken);
    }
}
