package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.cluster.trigger.WokenQueries;
import io.weir.operators.account.Stage;
import io.weir.operators.when.WhenState;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The second step's task moves from one instance to another, and back: one at a time tells. */
@Timeout(300)
final class TaskTriggersTest {
    @TempDir private Path directory;
    private final Stage told = new Stage("triggers");
    private final List<String> woken = new CopyOnWriteArrayList<>();

    @Test
    void whoHasTheTaskAloneTells() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
            try (TriggerFollower follower =
                            new TriggerFollower(
                                    kafka,
                                    "test",
                                    new WokenQueries(woken),
                                    failure -> {
                                        throw failure;
                                    });
                    TaskTriggers one = new TaskTriggers(kafka, "one", told);
                    TaskTriggers other = new TaskTriggers(kafka, "other", told)) {
                follower.start();
                TriggerPublisher frozen = one.open();
                tell(frozen, "by one");
                tell(other.open(), "by the other");
                frozen.write("by one that is frozen", 1, WhenState.Change.wake(5, 6), () -> {});
                await(() -> told.excluded("replaced").value() == 1);
                tell(one.open(), "by one again");
                assertEquals(List.of("by one", "by the other", "by one again"), woken);
                assertEquals(0, follower.unread());
            }
        }
        assertTrue(told.snapshot().isBalanced());
        assertEquals(3, told.processed().value());
    }

    private void tell(TriggerPublisher publisher, String query) throws InterruptedException {
        publisher.write(query, 1, WhenState.Change.wake(5, 6), () -> {});
        await(() -> woken.contains(query));
    }

    private void await(BooleanSupplier isSo) throws InterruptedException {
        Await.until(isSo::getAsBoolean, () -> told.snapshot() + " " + woken);
    }
}
