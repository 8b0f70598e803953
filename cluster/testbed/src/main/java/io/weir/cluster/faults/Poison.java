package io.weir.cluster.faults;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes meaningless records to each partition of each topic: random bytes, nothing at all, and
 * real ones that are cut, changed or repeated. The catalogue gets them only under other names: a
 * bad record in a query's place rightly removes the query.
 */
final class Poison {
    private static final int EACH = 4;
    private static final int MOST_BYTES = 2_000;
    private static final List<String> HEADERS =
            List.of("edit", "query", "version", "worker", "window_start", "window_end", "format");
    private static final List<String> TOPICS =
            List.of(
                    Topics.CATALOG,
                    Topics.HEARTBEATS,
                    Topics.OUTBOX,
                    Topics.PARTIALS,
                    Topics.WINDOWS,
                    Topics.TRIGGERS,
                    Topics.AUDIT,
                    Topics.results(Queries.EACH),
                    Topics.results(Queries.ALL),
                    Topics.results(Queries.SORTED));

    /** Topics that take no record without a key. A key's record replaces the one before. */
    private static final List<String> COMPACTED =
            List.of(Topics.CATALOG, Topics.OUTBOX, Topics.TRIGGERS);

    private Poison() {}

    static void strike(Scene scene) throws Exception {
        scene.pause(500, 2_500);
        long atNs = FaultCluster.nowNs();
        int written = 0;
        try (KafkaProducer<byte[], byte[]> producer = producer(scene);
                Admin admin = Admin.create(scene.cluster().kafka().client("weir-faults-admin"))) {
            Map<String, TopicDescription> topics =
                    KafkaCalls.await(admin.describeTopics(TOPICS).allTopicNames());
            for (String topic : TOPICS) {
                for (var partition : topics.get(topic).partitions()) {
                    TopicPartition at = new TopicPartition(topic, partition.partition());
                    for (ProducerRecord<byte[], byte[]> record : records(scene, at)) {
                        producer.send(record).get();
                        written++;
                    }
                }
            }
        }
        // A reader of the last windows finds it among them.
        for (Server server : scene.servers()) {
            server.count("SELECT * FROM " + Queries.ALL);
            server.count("SELECT * FROM " + Queries.EACH);
            server.count("SHOW WORKERS");
        }
        scene.say("wrote " + written + " records of no meaning to " + TOPICS.size() + " topics");
        for (String node : scene.nodes()) {
            scene.awaitEach(node, atNs);
        }
        long ms = (FaultCluster.nowNs() - atNs) / 1_000_000;
        scene.took("rows come as before", ms);
        scene.took("merged rows", scene.awaitMerged(atNs));
    }

    private static KafkaProducer<byte[], byte[]> producer(Scene scene) {
        return new KafkaProducer<>(
                scene.cluster().kafka().client("weir-faults-poison"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static List<ProducerRecord<byte[], byte[]>> records(Scene scene, TopicPartition at) {
        Random random = scene.random();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            byte[] key = random.nextBoolean() ? null : bytes(random, 20);
            byte[] value = bytes(random, MOST_BYTES);
            boolean compacted = COMPACTED.contains(at.topic());
            records.add(record(at, compacted && key == null ? bytes(random, 20) : key, value));
        }
        records.add(record(at, bytes(random, 20), null));
        records.add(record(at, bytes(random, 20), new byte[0]));
        records.forEach(record -> addHeaders(random, record));
        real(scene, at).ifPresent(real -> records.addAll(changed(random, at, real)));
        return records;
    }

    /** Returns the last existing record. */
    private static Optional<ConsumerRecord<byte[], byte[]>> real(Scene scene, TopicPartition at) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                TopicTail.consumer(scene.cluster().kafka(), "weir-faults-poison")) {
            consumer.assign(List.of(at));
            long end = consumer.endOffsets(List.of(at)).get(at);
            ConsumerRecord<byte[], byte[]> last = null;
            consumer.seek(at, Math.max(0, end - 10));
            while (consumer.position(at) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    last = record.value() == null ? last : record;
                }
            }
            return Optional.ofNullable(last);
        }
    }

    private static List<ProducerRecord<byte[], byte[]>> changed(
            Random random, TopicPartition at, ConsumerRecord<byte[], byte[]> real) {
        byte[] key = COMPACTED.contains(at.topic()) ? bytes(random, 20) : real.key();
        byte[] cut = Arrays.copyOf(real.value(), real.value().length / 2);
        byte[] flipped = real.value().clone();
        if (flipped.length > 0) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        List<ProducerRecord<byte[], byte[]>> records =
                new ArrayList<>(List.of(record(at, key, cut), record(at, key, flipped)));
        if (at.topic().equals(Topics.PARTIALS) || at.topic().equals(Topics.WINDOWS)) {
            // A changed number would be a gap in a real worker's, so only an existing record may
            // come.
            records.remove(1);
            records.add(record(at, real.key(), real.value()));
        }
        return records;
    }

    private static ProducerRecord<byte[], byte[]> record(
            TopicPartition at, byte[] key, byte[] value) {
        return new ProducerRecord<>(at.topic(), at.partition(), key, value);
    }

    /** Adds headers of Weir's own records, some without a value. */
    private static void addHeaders(Random random, ProducerRecord<byte[], byte[]> record) {
        for (String name : HEADERS) {
            if (random.nextInt(3) == 0) {
                record.headers().add(name, random.nextBoolean() ? null : bytes(random, 20));
            }
        }
    }

    private static byte[] bytes(Random random, int most) {
        byte[] bytes = new byte[1 + random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }
}
