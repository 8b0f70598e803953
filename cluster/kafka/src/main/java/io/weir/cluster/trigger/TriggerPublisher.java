package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.operators.when.WhenState;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes triggers to {@code weir.triggers} for the owner of a {@link SenderPlace}. Brokers
 * accept none from a process that was frozen and replaced. Triggers go in transactions, because
 * brokers check the owner only there. Readers do not wait for the end of a transaction, so a wake
 * takes milliseconds and not the hundred of a commit. A repeated trigger changes nothing at its
 * reader. While Kafka is away triggers wait in memory, for a day at most. The sender stores
 * unwritten triggers for its successor. Thread-safe; no call waits for Kafka: a thread of its own
 * does.
 */
public final class TriggerPublisher implements TriggerWriter {
    private static final Logger LOG = LoggerFactory.getLogger(TriggerPublisher.class);

    /** The longest time in all. A trigger that takes longer is lost, and counted. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final String by;
    private final Clock clock;
    private final TriggerSender sender;

    /**
     * @param place of the sender
     * @param by the sender, for people
     * @param told counts wakes and ends
     * @param replaced is told when another has the place
     */
    public TriggerPublisher(
            KafkaSettings settings,
            SenderPlace place,
            String by,
            Stage told,
            Consumer<WeirException> replaced) {
        this(settings, place, by, told, replaced, PATIENCE);
    }

    TriggerPublisher(
            KafkaSettings settings,
            SenderPlace place,
            String by,
            Stage told,
            Consumer<WeirException> replaced,
            Duration patience) {
        this.by = by;
        this.clock = place.clock();
        told.lost(TriggerInFlight.LOST).add(0);
        Said said = new Said(settings, by, replaced);
        sender = new TriggerSender(place, by, told, said, patience).start();
    }

    /** Reports the sender's state in words. Its thread. */
    private static final class Said implements TriggerSender.Listener {
        private final KafkaSettings settings;
        private final String by;
        private final Consumer<WeirException> replaced;
        private boolean forbidden;

        Said(KafkaSettings settings, String by, Consumer<WeirException> replaced) {
            this.settings = settings;
            this.by = by;
            this.replaced = replaced;
        }

        @Override
        public void replaced() {
            replaced.accept(
                    new WeirException(
                            ErrorCode.INVALID_OPTION,
                            "another worker " + by + " has taken this one's place",
                            "each worker of a cluster needs a --node-id of its own"));
        }

        @Override
        public void forbidden(KafkaException why) {
            if (!forbidden) {
                forbidden = true;
                String what = "wakes for other workers cannot be sent at once";
                LOG.warn(
                        "wakes of {}: {}",
                        by,
                        KafkaCalls.failure(settings, what, why).getMessage());
            }
        }

        @Override
        public void allowed() {
            if (forbidden) {
                forbidden = false;
                LOG.info("wakes of {}: they are sent at once again", by);
            }
        }
    }

    @Override
    public void write(String query, long version, WhenState.Change change, Runnable written) {
        publish(TriggerMessage.of(clock, by, query, version, change), written);
    }

    @Override
    public void settled(long settledNs) {
        publish(TriggerMessage.settled(clock, by, settledNs), () -> {});
    }

    /**
     * @param written runs once it is in Kafka
     */
    public void publish(TriggerMessage message, Runnable written) {
        sender.send(new TriggerInFlight(message, clock.nanos(), written));
    }

    /**
     * Waits until this process has the place. From then on no other process publishes from it.
     *
     * @return false if that is not known in time
     */
    public boolean awaitPlace(long timeoutMs) throws InterruptedException {
        return sender.awaitPlace(timeoutMs);
    }

    /** Stops. Triggers that do not reach Kafka soon are left to the successor, and counted. */
    @Override
    public void close() {
        sender.close();
    }
}
