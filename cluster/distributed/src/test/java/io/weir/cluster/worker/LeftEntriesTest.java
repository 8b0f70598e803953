package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.trigger.TriggerMessage;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.operators.when.WhenState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that was killed has left in its outbox, as the next one tells of it. */
final class LeftEntriesTest {
    private static final long PATIENCE_MS = 180_000;

    @TempDir private Path directory;
    private final Account account = new Account();

    @Test
    void triggersAreNoRowsAndATurnThatWasCutOffIsToldAsThat() throws Exception {
        Path files = directory.resolve("outbox");
        try (Outbox outbox =
                new Outbox(files, Outbox.LEAST_BYTES, new Stage("before"), Patience.endless())) {
            FiredRows rows =
                    new FiredRows(
                            outbox,
                            new Conditions(outbox.note("conditions")),
                            new LossLedger(outbox.note("told")));
            rows.add(row(1), false);
            rows.fired();
            rows.add(
                    TriggerMessage.of(
                            Clock.SYSTEM,
                            "a",
                            "waits",
                            1,
                            WhenState.Change.wake(0, Long.MAX_VALUE)));
            rows.end();
            rows.add(row(2), false);
            rows.fired();
            rows.add(row(3), false); // and nothing more: the second row alone is on the disk
        }
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            Topics.ensureResults(KafkaSettings.of(broker.bootstrap()), List.of("q"));
            WorkerSettings settings =
                    WorkerSettings.of("a", directory, ReplayOptions.AT_ONCE, files);
            try (Outboxes next =
                    new Outboxes(
                            settings,
                            KafkaSettings.of(broker.bootstrap()),
                            "life",
                            account,
                            LeftEntriesTest::fail)) {
                check(next);
            }
        }
        assertTrue(rows().isBalanced(), rows().toString());
    }

    private Stage.Snapshot rows() {
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals("outbox rows"))
                .findFirst()
                .orElseThrow();
    }

    private void check(Outboxes next) throws InterruptedException {
        next.made().add(row(4), false);
        next.made().end();
        assertTrue(next.awaitSent(PATIENCE_MS, () -> true));
        assertEquals("3 made, 2 sent, 1 lost, 0 waiting", told(next));
        assertEquals(
                Map.of("cut", 1L, "left_behind", 0L, "outbox_full", 0L, "unreadable", 0L),
                rows().lost());
    }

    private static String told(Outboxes by) {
        Heartbeat.Builder beat = Heartbeat.newBuilder();
        by.tell(beat);
        return beat.getRows()
                + " made, "
                + beat.getRowsSent()
                + " sent, "
                + beat.getRowsLost()
                + " lost, "
                + beat.getRowsWaiting()
                + " waiting";
    }

    private static void fail(WeirException failure) {
        throw failure;
    }

    private static byte[] row(int number) {
        return OutboxRow.newBuilder()
                .setFormat(1)
                .setQuery("q")
                .setValue(ByteString.copyFromUtf8("{\"n\":" + number + "}"))
                .setMadeMs(System.currentTimeMillis())
                .build()
                .toByteArray();
    }
}
