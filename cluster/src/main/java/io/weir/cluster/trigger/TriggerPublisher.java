package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.Place;
import io.weir.cluster.kafka.results.SenderListener;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;

/**
 * Triggers on their way to {@code weir.triggers}, by who has the {@link Place} to tell them: from
 * one that was frozen and replaced brokers take none. They go in transactions, for of these brokers
 * know whose they are; but readers wait for the end of none, so that a wake takes milliseconds, not
 * the hundred of a commit. What is sent again after a failure changes nothing at its reader. While
 * Kafka is away they wait in memory, for a day at most. Who tells keeps what is not written when
 * the process ends, for who goes on. Thread-safe; no call waits for Kafka, which a thread of its
 * own does.
 */
public final class TriggerPublisher implements Triggers, TriggerWriter {
    /** In all: one that could not be told in so long is lost, and counted. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private final String by;
    private final TriggerSender sender;

    /**
     * @param place of who tells
     * @param by who sends, for people
     * @param told counts wakes and ends
     * @param listener told when another has the place, and of why nothing can be told
     */
    public TriggerPublisher(
            KafkaSettings settings, Place place, String by, Stage told, SenderListener listener) {
        this(settings, place, by, told, listener, PATIENCE);
    }

    TriggerPublisher(
            KafkaSettings settings,
            Place place,
            String by,
            Stage told,
            SenderListener listener,
            Duration patience) {
        this.by = by;
        told.lost(Telling.LOST).add(0);
        Said said = new Said(settings, by, listener);
        sender = new TriggerSender(place, by, told, said, patience).start();
    }

    /** What becomes of the sender, in words. Its thread. */
    private static final class Said implements TriggerSender.Listener {
        private final KafkaSettings settings;
        private final String by;
        private final SenderListener listener;
        private boolean forbidden;

        Said(KafkaSettings settings, String by, SenderListener listener) {
            this.settings = settings;
            this.by = by;
            this.listener = listener;
        }

        @Override
        public void replaced() {
            listener.replaced(
                    new WeirException(
                            ErrorCode.INVALID_OPTION,
                            "another worker " + by + " has taken this one's place",
                            "each worker of a cluster needs a --node-id of its own"));
        }

        @Override
        public void forbidden(KafkaException why) {
            if (!forbidden) {
                forbidden = true;
                String what = "what rows wake elsewhere cannot be told at once";
                listener.note(KafkaCalls.failure(settings, what, why).getMessage());
            }
        }

        @Override
        public void allowed() {
            if (forbidden) {
                forbidden = false;
                listener.note("what rows wake elsewhere is told at once again");
            }
        }
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        wake(query, version, fromNs, untilNs, () -> {});
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        until(query, version, fromNs, untilNs, () -> {});
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs, Runnable written) {
        publish(TriggerMessage.wake(by, query, version, fromNs, untilNs), written);
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs, Runnable written) {
        publish(TriggerMessage.until(by, query, version, fromNs, untilNs), written);
    }

    @Override
    public void settled(long settledNs) {
        publish(TriggerMessage.settled(by, settledNs), () -> {});
    }

    /**
     * @param written run once it is in Kafka
     */
    public void publish(TriggerMessage message, Runnable written) {
        sender.send(new Telling(message, written));
    }

    /**
     * Waits until this process has the place: from then on no other tells anything from it.
     *
     * @return false where that is not known in time
     */
    public boolean awaitPlace(long timeoutMs) throws InterruptedException {
        return sender.awaitPlace(timeoutMs);
    }

    /** What has not come to Kafka soon is for who goes on, and counted. */
    @Override
    public void close() {
        sender.close();
    }
}
