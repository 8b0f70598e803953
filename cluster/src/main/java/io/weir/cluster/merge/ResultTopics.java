package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.WeirException;
import java.util.Set;

/**
 * The topics of merged rows. Each shard of an instance asks for that of each query, on the thread
 * that merges: Kafka is asked only for what it was not seen to have. Any thread.
 */
final class ResultTopics {
    private final KafkaSettings kafka;
    private volatile Set<String> there = Set.of();

    ResultTopics(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    /** Creates the topic of a query's rows, if it is missing. */
    void ensure(String query) {
        if (there.contains(Topics.results(query))) {
            return;
        }
        try {
            there = Topics.ensureResults(kafka, query);
        } catch (WeirException away) {
            // The sink will say so, if it still is then.
            return;
        }
    }

    /** Something was not there that should have been: Kafka is asked anew. */
    void doubt() {
        there = Set.of();
    }
}
