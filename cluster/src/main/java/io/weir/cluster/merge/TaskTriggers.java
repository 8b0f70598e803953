package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.Place;
import io.weir.cluster.trigger.TriggerPublisher;
import io.weir.operators.account.Stage;
import java.util.UUID;

/**
 * Who tells what the rows of the second step wake: its task, wherever it runs. An instance that was
 * frozen, and does not know that another has the task, has lost the place to tell, too. Any thread.
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

    /** Of the task that begins. One that could not begin may have left another open. */
    synchronized TriggerPublisher open() {
        close();
        String life = UUID.randomUUID().toString();
        open =
                new TriggerPublisher(
                        kafka,
                        new Place(kafka, PLACE, PLACE, life),
                        instance,
                        told,
                        replaced -> {}); // by who has the task now, as Kafka Streams will hear
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
