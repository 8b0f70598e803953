package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTopicsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir private Path directory;

    /** What was seen is not asked for again, until something is found to be missing. */
    @Test
    void areMadeAndMadeAgain() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory);
                Admin admin = Admin.create(broker.client().client("test"))) {
            ResultTopics topics = new ResultTopics(broker.client());
            topics.ensure("q");
            assertTrue(names(admin).contains(Topics.results("q")));
            Topics.ensureResults(broker.client(), "of_another");
            KafkaCalls.await(admin.deleteTopics(List.of(Topics.results("q"))).all());
            awaitGone(admin, Topics.results("q"));
            topics.ensure("q");
            assertFalse(names(admin).contains(Topics.results("q")));
            topics.doubt();
            topics.ensure("of_another");
            topics.ensure("q");
            assertTrue(names(admin).contains(Topics.results("q")));
        }
    }

    private static void awaitGone(Admin admin, String topic) throws Exception {
        Instant until = Instant.now().plus(PATIENCE);
        while (names(admin).contains(topic)) {
            assertTrue(Instant.now().isBefore(until), topic + " is still there");
            Thread.sleep(20);
        }
    }

    private static Set<String> names(Admin admin) throws Exception {
        return KafkaCalls.await(admin.listTopics().names());
    }
}
