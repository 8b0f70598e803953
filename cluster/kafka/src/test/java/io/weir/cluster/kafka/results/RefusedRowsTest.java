package io.weir.cluster.kafka.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.ManualClock;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows that Kafka does not take: not at all, or not now. */
@Timeout(300)
final class RefusedRowsTest {
    private static final String QUERY = "q";
    private static final int LEAST_TOPIC_BYTES = 2_000;
    private static final long PATIENCE_MS = 120_000;

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings settings;
    private final Stage stage = new Stage("outbox");
    private final ManualClock clock = new ManualClock(Instant.now());
    private final LogLines log = LogLines.after("worker w: the outbox of rows: ");
    private final List<String> notes = log.texts();

    @AfterEach
    void closeLog() {
        log.close();
    }

    private final Random random = new Random(Long.getLong("weir.seed", 5));

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        settings = KafkaSettings.of(broker.bootstrap()).with(clock);
        Topics.ensure(settings);
        Topics.ensureResults(settings, List.of(QUERY));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** The others come, in order; those that are too large for the topic are told as lost. */
    @Test
    void aRowThatATopicHasNoRoomForKeepsNoOtherBack() throws Exception {
        configure(Topics.results(QUERY), LEAST_TOPIC_BYTES);
        List<String> small = new ArrayList<>();
        int large = 0;
        try (Outbox outbox = outbox();
                OutboxSender sender = sender(outbox)) {
            for (int row = 0; row < 3_000; row++) {
                boolean fits = random.nextInt(100) > 0;
                String value = text(row, fits ? 50 : 2 * LEAST_TOPIC_BYTES);
                outbox.append(row(value));
                if (fits) {
                    small.add(value);
                } else {
                    large++;
                }
            }
            assertTrue(sender.awaitSent(PATIENCE_MS), notes.toString());
            assertEquals("", sender.trouble());
        }
        assertTrue(large > 0);
        List<String> there = values();
        assertEquals(small.size(), there.size(), stage.snapshot().toString());
        assertTrue(small.equals(there), "not in order");
        assertEquals(large, stage.lost("refused_by_kafka").value());
        assertEquals(small.size(), stage.processed().value());
        assertEquals(0, stage.lost("unreadable").value());
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
        assertEquals(1, notes.size(), notes.toString());
        assertTrue(
                notes.get(0)
                        .startsWith("Kafka refuses some rows for weir.results.q, which are lost: "),
                notes.toString());
    }

    /** What may get better is waited for; people hear why, and when it is over. */
    @Test
    void whyNoneIsSentIsToldOnce() throws Exception {
        try (Outbox outbox = outbox();
                OutboxSender sender = sender(outbox)) {
            outbox.append(row("first"));
            assertTrue(sender.awaitSent(PATIENCE_MS));
            // Where it keeps how far it is: there is room for the ends of transactions alone.
            configure(Topics.OUTBOX, 90);
            outbox.append(row("second"));
            await(() -> !sender.trouble().isEmpty());
            assertEquals(List.of("no row is sent, and all wait: " + sender.trouble()), notes);
            long againMs = clock.millis() + 2 * Refusals.LASTING_MS;
            await(() -> clock.millis() >= againMs);
            assertEquals(1, notes.size(), notes.toString());
            configure(Topics.OUTBOX, 1_000_000);
            assertTrue(sender.awaitSent(PATIENCE_MS), notes.toString());
            await(() -> sender.trouble().isEmpty());
        }
        assertEquals("they are sent again", notes.get(notes.size() - 1));
        assertEquals(List.of("first", "second"), values());
        assertEquals(0, stage.snapshot().lostInAll());
    }

    private void configure(String topic, int mostBytes) throws Exception {
        RawRecords.configure(settings, topic, "max.message.bytes", Integer.toString(mostBytes));
    }

    /** The sender's time goes on at each look. */
    private void await(Await.Condition wanted) {
        Await.until(
                () -> {
                    clock.pass(Duration.ofMillis(200));
                    return wanted.holds();
                },
                notes::toString);
    }

    private Outbox outbox() {
        return new Outbox(directory.resolve("a"), Outbox.LEAST_BYTES, stage, Patience.endless());
    }

    private OutboxSender sender(Outbox outbox) {
        Consumer<WeirException> replaced = cause -> notes.add(cause.getMessage());
        ResultEntries rows = new ResultEntries(settings, "w");
        return new OutboxSender(settings, "w", "life", outbox, rows, replaced).start();
    }

    /** Of letters by chance, which no compression makes much smaller. */
    private String text(int row, int length) {
        StringBuilder text = new StringBuilder().append(row).append(' ');
        while (text.length() < length) {
            text.append((char) ('!' + random.nextInt(90)));
        }
        return text.toString();
    }

    private static byte[] row(String value) {
        return OutboxRow.newBuilder()
                .setFormat(1)
                .setQuery(QUERY)
                .setValue(ByteString.copyFromUtf8(value))
                .setWindowEndNs(System.currentTimeMillis() * 1_000_000L)
                .build()
                .toByteArray();
    }

    private List<String> values() {
        return CommittedRecords.of(settings, Topics.results(QUERY)).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
