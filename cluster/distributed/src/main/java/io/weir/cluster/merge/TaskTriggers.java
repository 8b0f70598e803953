package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.operators.account.Stage;
import java.util.UUID;

/**
 * Publishes the wakes that rows of the second step fire: its task does, wherever it runs. A frozen
 * instance may not know that another has the task. It has then also lost the place to publish. Any
 * thread.
 */
final class TaskTriggers implements AutoCloseable {
    private static final String PLACE = MergeService.APPLICATION + "-triggers";

    private final KafkaSettings kafka;
    private final String instance;
    private final Stage told;
    private TriggerPublisher open;

    /**
     * @param instance for people
     * @param told counts wakes and ends
     */
    TaskTriggers(KafkaSettings kafka, String instance, Stage told) {
        this.kafka = kafka;
        this.instance = instance;
        this.told = told;
    }

    /**
     * Opens the publisher of the task that begins. A task that could not begin may have left
     * another open.
     */
    synchronized TriggerPublisher open() {
        close();
        String life = UUID.randomUUID().toString();
        open =
                new TriggerPublisher(
                        kafka,
                        new SenderPlace(kafka, PLACE, PLACE, life),
                        instance,
                        told,
                        replaced -> {}); // by the new owner of the task; Kafka Streams will report
        // it
        return open;
    }

    @Override
    public synchronized void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
