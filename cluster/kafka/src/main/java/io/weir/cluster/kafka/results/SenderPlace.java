package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.Commit;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.wire.OutboxPosition;
import io.weir.operators.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A place that one process has at a time, by its name. It writes in transactions of that name,
 * which brokers refuse once another process has begun new ones. The topic {@code weir.outbox}
 * records the owner. A refused producer alone cannot know whether another process has its place, or
 * a transaction took too long. A process has no place, and writes nothing, until its first record
 * there is committed. One thread, except {@link #giveUp}.
 */
public final class SenderPlace {
    private final KafkaSettings settings;
    private final String name;
    private final String transactions;
    private final String life;
    private final SentPositions positions;
    private boolean taken;

    /**
     * @param name for good: the next process that writes the same has it too
     * @param transactions their id, as brokers' rights name it
     * @param life of the process that takes it, and of no other
     */
    public SenderPlace(KafkaSettings settings, String name, String transactions, String life) {
        this.settings = settings;
        this.name = name;
        this.transactions = transactions;
        this.life = life;
        this.positions = new SentPositions(settings);
    }

    /** Returns the clock of its settings. */
    public Clock clock() {
        return settings.clock();
    }

    /**
     * Opens a producer that writes from this place. The caller closes it, and calls this again for
     * another.
     *
     * @param more further settings
     * @throws SenderReplacedException when another process has taken the place since
     */
    public KafkaProducer<byte[], byte[]> open(Map<String, Object> more)
            throws SenderReplacedException {
        if (taken) {
            check(); // before it takes the place from its owner
        }
        KafkaProducer<byte[], byte[]> producer = producer(more);
        boolean opened = false;
        try {
            producer.initTransactions();
            if (taken) {
                check();
            } else {
                take(producer);
            }
            opened = true;
            return producer;
        } finally {
            if (!opened) {
                producer.close(Duration.ZERO);
            }
        }
    }

    private void take(KafkaProducer<byte[], byte[]> producer) {
        producer.beginTransaction();
        var last = producer.send(SentPositions.record(name, "", life, 0, OptionalLong.empty()));
        Commit.of(producer, last, KafkaCalls.TIMEOUT_MS);
        taken = true;
    }

    private void check() throws SenderReplacedException {
        Optional<OutboxPosition> last = positions.readLatest(name);
        if (last.isPresent() && !last.get().getLife().equals(life)) {
            throw new SenderReplacedException();
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = settings.client(transactions);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactions);
        config.putAll(more);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Makes {@link #open} stop waiting for Kafka: any thread. */
    public void giveUp() {
        positions.giveUp();
    }
}
