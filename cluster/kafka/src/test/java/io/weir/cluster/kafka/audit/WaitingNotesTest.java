package io.weir.cluster.kafka.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.security.User;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notes while Kafka answers, is away, refuses, and is back. */
@Timeout(120)
class WaitingNotesTest {
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final List<String> kept = new CopyOnWriteArrayList<>();
    private volatile Exception trouble;

    private void write(List<AuditEntry> entries) {
        KafkaCalls.run(
                KafkaSettings.of("127.0.0.1:9"),
                "it cannot be noted",
                () -> {
                    if (trouble != null) {
                        throw trouble;
                    }
                    entries.forEach(entry -> kept.add(entry.statement()));
                });
    }

    private static AuditEntry entry(String sql) {
        return AuditEntry.of(
                Clock.SYSTEM, "here:1", User.ANYBODY, sql, AuditEntry.OK, OptionalLong.empty());
    }

    @Test
    void theyWaitWhileKafkaIsAwayAndAreWrittenInOrderWhenItIsBack() throws Exception {
        try (WaitingNotes notes = new WaitingNotes(this::write, PATIENCE)) {
            notes.add(entry("0"));
            assertEquals(List.of("0"), kept); // there before the statement is answered
            trouble = new TimeoutException();
            List<String> all = new ArrayList<>(kept);
            long begunNs = System.nanoTime();
            for (int n = 1; n <= 300; n++) {
                notes.add(entry("" + n));
                all.add("" + n);
            }
            // Only the first waits: then it is known that Kafka is away.
            assertTrue(System.nanoTime() - begunNs < TimeUnit.SECONDS.toNanos(20));
            assertEquals(1, kept.size());
            trouble = null;
            Await.until(() -> kept.size() >= all.size());
            assertEquals(all, kept);
        }
    }

    @Test
    void oneThatIsRefusedFailsItsStatement() {
        try (WaitingNotes notes = new WaitingNotes(this::write, Duration.ofSeconds(30))) {
            trouble = new TopicAuthorizationException("weir.audit");
            WeirException refused =
                    assertThrows(WeirException.class, () -> notes.add(entry("SHOW QUERIES")));
            assertEquals(ErrorCode.KAFKA_UNAVAILABLE, refused.code());
        }
    }

    @Test
    void whereTooManyWaitNoStatementRunsWithoutANote() {
        trouble = new TimeoutException();
        try (WaitingNotes notes = new WaitingNotes(this::write, PATIENCE)) {
            WeirException full =
                    assertThrows(
                            WeirException.class,
                            () -> {
                                for (int n = 0; n < 2 * WaitingNotes.MOST; n++) {
                                    notes.add(entry("" + n));
                                }
                            });
            assertTrue(full.getMessage().contains("notes wait for Kafka"), full.getMessage());
        }
    }
}
