package io.weir.cluster.trigger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.BrokerSettings;
import io.weir.cluster.kafka.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of triggers while Kafka is away. */
@Timeout(600)
class TriggerPublisherTest {
    private static final long AWAY_S = Long.getLong("weir.away.s", 3);

    @TempDir private Path directory;
    private final Stage told = new Stage("triggers");
    private final List<String> woken = new CopyOnWriteArrayList<>();

    /**
     * A query is woken once: it comes late, but it comes. {@code -Dweir.away.s=130} waits longer.
     */
    @Test
    void oneThatWaitedIsHeard() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
        BrokerSettings same = broker.settings();
        KafkaSettings kafka = broker.client();
        Topics.ensure(kafka);
        try (TriggerPublisher publisher = new TriggerPublisher(kafka, "a", told)) {
            publisher.wake("before", 1, 5, 6);
            await(() -> told.processed().value() == 1);
            broker.close();
            publisher.wake("while", 1, 5, 6);
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
            kafka = broker.client();
            Topics.ensure(kafka);
        }
        try (TriggerPublisher publisher = new TriggerPublisher(kafka, "a", told)) {
            for (int i = 0; i < 1_000; i++) {
                publisher.wake("q" + i, 1, 5, 6);
            }
            assertEquals(0, told.snapshot().lostInAll());
            try (EmbeddedBroker broker = EmbeddedBroker.start(same);
                    TriggerFollower follower = follower(broker.client())) {
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
        Topics.ensure(broker.client());
        try (TriggerPublisher publisher =
                new TriggerPublisher(broker.client(), "a", told, Duration.ofSeconds(1))) {
            publisher.wake("q", 1, 5, 6);
            await(() -> told.processed().value() == 1);
            broker.close();
            publisher.wake("q", 1, 7, 8);
            await(() -> told.lost("not_told").value() == 1);
            publisher.until("q", 1, 7, 9);
        }
        assertEquals(1, told.lost("not_told").value());
        assertEquals(1, told.excluded("kept").value()); // by who told it, at the end
        assertTrue(told.snapshot().isBalanced());
    }

    /** What is left of each key is enough to know what is awake, and what has ended. */
    @Test
    void whatIsKeptTellsWhatIsAwake() throws Exception {
        Map<String, String> kept = new ConcurrentSkipListMap<>();
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            Topics.ensure(broker.client());
            try (TriggerPublisher publisher = new TriggerPublisher(broker.client(), "a", told)) {
                publisher.wake("q", 1, 5, 6);
                publisher.until("q", 1, 5, 6);
                publisher.wake("q", 1, 7, Long.MAX_VALUE);
                publisher.settled(8);
                publisher.wake("other", 1, 9, Long.MAX_VALUE);
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
                            broker.client(),
                            "test",
                            Topics.TRIGGERS,
                            TopicTail.Start.BEGINNING,
                            keeps)) {
                tail.start();
                await(() -> kept.size() == 4);
            }
        }
        assertEquals("7", kept.get("wake q"));
        assertEquals("5", kept.get("until q"));
        assertEquals("9", kept.get("wake other"));
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
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, told.snapshot() + " " + woken);
            Thread.sleep(20);
        }
    }
}
