package io.weir.cluster.kafka;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.cluster.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KafkaRightsTest {
    @TempDir private Path directory;

    /** As by one of three brokers, which hears of a new topic after another has shown it. */
    @Test
    @Timeout(120)
    void aBrokerThatDoesNotKnowATopicYetIsAskedAgain() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            CompletableFuture<Void> asked =
                    CompletableFuture.runAsync(
                            () ->
                                    KafkaRights.check(
                                            KafkaSettings.of(broker.bootstrap()),
                                            KafkaRights.SERVER));
            assertThrows(TimeoutException.class, () -> asked.get(2, TimeUnit.SECONDS));
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            asked.get();
        }
    }
}
