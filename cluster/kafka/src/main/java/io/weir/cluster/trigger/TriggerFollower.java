package io.weir.cluster.trigger;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads {@code weir.triggers} from the first kept record on. So a late reader learns which queries
 * are awake. A record that cannot be read is counted, and the next one read. Workers write each
 * record a second time, in transactions. Readers do not wait for the end of these, because an
 * aborted transaction is written again. A thread of its own, which calls the receiver.
 */
public final class TriggerFollower implements AutoCloseable, TopicTail.Reader {
    private final Triggers receiver;
    private final Consumer<WeirException> failed;
    private final TopicTail tail;
    private final AtomicLong unread = new AtomicLong();

    public TriggerFollower(
            KafkaSettings settings,
            String name,
            Triggers receiver,
            Consumer<WeirException> failed) {
        this.receiver = receiver;
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
        records.forEach(record -> read(record.value()));
    }

    private void read(byte[] value) {
        try {
            TriggerRecord record = TriggerRecord.parseFrom(value == null ? new byte[0] : value);
            if (record.getFormat() != TriggerMessage.FORMAT) {
                unread.incrementAndGet();
                return;
            }
            tell(record);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            unread.incrementAndGet();
        }
    }

    private void tell(TriggerRecord record) {
        String query = record.getQuery();
        switch (record.getWhatCase()) {
            case WAKE, UNTIL ->
                    receiver.changed(query, record.getVersion(), TriggerMessage.change(record));
            case SETTLED_NS -> {
                if (query.isEmpty()) { // earlier releases wrote it differently
                    receiver.settled(record.getSettledNs());
                }
            }
            case WHAT_NOT_SET -> unread.incrementAndGet();
        }
    }

    @Override
    public void failed(WeirException failure) {
        failed.accept(failure);
    }

    /** Returns the number of records that were no triggers, or of another version of Weir. */
    public long unread() {
        return unread.get();
    }

    @Override
    public void close() {
        tail.close();
    }
}
