package io.weir.cluster.kafka.heartbeat;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.SecuredBroker;
import io.weir.cluster.broker.SecuredBroker.Allowed;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that may not read heartbeats for a while says so, and hears workers when it may. */
@Timeout(300)
final class HeardAgainTest {
    private static final long PATIENCE_MS = 120_000;
    private static final List<Allowed> READS =
            List.of(new Allowed(TOPIC, "weir.heartbeats", PREFIXED, READ));
    private static final List<Allowed> REST =
            List.of(
                    new Allowed(TOPIC, "weir.", PREFIXED, WRITE, CREATE),
                    new Allowed(TOPIC, "weir.catalog", PREFIXED, READ),
                    new Allowed(TOPIC, "weir.outbox", PREFIXED, READ),
                    new Allowed(TOPIC, "weir.triggers", PREFIXED, READ));

    @TempDir private Path directory;
    private final LogLines log = LogLines.of(WorkerTable.class);
    private final List<String> notes = log.texts();

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void workersAreHeardAgainOnceTheirHeartbeatsMayBeReadAgain() throws Exception {
        try (SecuredBroker broker = new SecuredBroker(directory)) {
            broker.addUser("server", "hush-hush", READS);
            broker.allow("server", REST);
            KafkaSettings kafka = broker.client("server", "hush-hush");
            Topics.ensureForWorker(kafka);
            try (Heartbeats beats = new Heartbeats(kafka, "w", Heartbeat::newBuilder);
                    WorkerTable table = new WorkerTable(kafka).start()) {
                beats.start();
                await(() -> lives(table));
                broker.forbid("server", READS);
                await(() -> !table.trouble().isEmpty());
                assertTrue(
                        table.trouble().contains("weir.heartbeats cannot be read"),
                        table.trouble());
                await(() -> !lives(table));
                broker.allow("server", READS);
                await(() -> lives(table));
                assertEquals("", table.trouble());
                assertEquals(2, notes.size(), notes.toString());
                assertTrue(notes.get(0).startsWith("workers are not heard"), notes.toString());
                assertEquals("workers are heard again", notes.get(1));
            }
        }
    }

    private static boolean lives(WorkerTable table) {
        return table.workers().stream().anyMatch(worker -> !worker.isMissing());
    }

    private void await(BooleanSupplier wanted) throws Exception {
        Await.until(Duration.ofMillis(PATIENCE_MS), wanted::getAsBoolean, () -> notes);
    }
}
