package io.weir.cluster.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of an instance of the merge. Its transactions and its group membership have the name
 * of their thread. So other instances can see whether the owner of an open transaction is still
 * there. Kafka Streams' own names are known only inside the process.
 */
final class MergeClients implements KafkaClientSupplier {
    private static final String THREAD = "-StreamThread-";
    private static final String PRODUCER = "-producer";
    private static final String CONSUMER = "-consumer";

    /** Returns whether a thread of this release, or a later one, has named its transactions so. */
    static boolean isThread(String transactions) {
        return transactions.startsWith(MergeService.APPLICATION + "-")
                && transactions.contains(THREAD);
    }

    /** Returns whether it is a thread of the instance with this prefix of client names. */
    static boolean isThreadOf(String client, String thread) {
        return thread.startsWith(client + THREAD);
    }

    /** Returns the thread of a group member, in the form of transaction names. */
    static Optional<String> thread(String member) {
        return member.endsWith(CONSUMER)
                ? Optional.of(without(CONSUMER, member))
                : Optional.empty();
    }

    private static String without(String role, String client) {
        return client.substring(0, client.length() - role.length());
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        Map<String, Object> named = new HashMap<>(config);
        String client = (String) config.get(ProducerConfig.CLIENT_ID_CONFIG);
        if (client.endsWith(PRODUCER)) {
            named.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, without(PRODUCER, client));
        }
        return new KafkaProducer<>(named, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return getConsumer(config);
    }
}
