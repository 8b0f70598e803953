package io.weir.cluster.faults;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.error.WeirException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads the wakes of {@link Queries#WOKEN} as workers do, committed or not. A thread of its own.
 */
final class WakeTail implements AutoCloseable, TopicTail.Reader {
    private final RowLog log;
    private final TopicTail tail;

    WakeTail(KafkaSettings kafka, RowLog log) {
        this.log = log;
        tail =
                TopicTail.ofAll(
                        kafka,
                        "weir-faults-wakes",
                        Topics.TRIGGERS,
                        TopicTail.Start.BEGINNING,
                        this);
    }

    WakeTail start() {
        tail.start();
        return this;
    }

    @Override
    public void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        records.forEach(this::read);
    }

    /** A stranger's record has another key. */
    private void read(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null || !key.startsWith("wake ")) {
            return;
        }
        try {
            TriggerRecord trigger = TriggerRecord.parseFrom(record.value());
            if (key.equals("wake " + trigger.getQuery())) {
                log.wake(trigger.getQuery(), trigger.getWake().getFromNs());
            }
        } catch (InvalidProtocolBufferException e) {
            log.wrong("no trigger at " + record.offset() + ": " + e);
        }
    }

    @Override
    public void failed(WeirException failure) {
        log.wrong("triggers cannot be read any more: " + failure);
    }

    @Override
    public void close() {
        tail.close();
    }
}
