package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads {@code weir.triggers}, from the first record that is kept: who begins late hears of what is
 * awake. A record that cannot be read is counted, and the next one read. Workers write each a
 * second time, in transactions: no reader waits for the end of these, for what is in one that is
 * given up is told again. A thread of its own, which calls the receiver.
 */
public final class TriggerFollower implements AutoCloseable, TopicTail.Reader {
    private final TriggerReader reader;
    private final Consumer<WeirException> failed;
    private final TopicTail tail;

    public TriggerFollower(
            KafkaSettings settings,
            String name,
            Triggers receiver,
            Consumer<WeirException> failed) {
        this.reader = new TriggerReader(receiver);
        this.failed = failed;
        tail =
                TopicTail.ofAll(
                        settings,
                        "weir-triggers-to-" + name,
                        Topics.TRIGGERS,
                        TopicTail.Start.BEGINNING,
                        this);
    }

    public TriggerFollower start() {
        tail.start();
        return this;
    }

    @Override
    public void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        records.forEach(record -> reader.read(record.value()));
    }

    @Override
    public void failed(WeirException failure) {
        failed.accept(failure);
    }

    /** Records that were no triggers, or of another version of Weir. */
    public long unread() {
        return reader.unread();
    }

    @Override
    public void close() {
        tail.close();
    }
}
