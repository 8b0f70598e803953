package io.weir.cluster.faults;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records of the catalogue that Weir 0.1 (commit 52c7f2c5) wrote: statements without plans. The
 * file has a line for each: its key, and its value in base64. FOR is five minutes, longer than the
 * delays of a busy machine; it was five seconds.
 */
final class ReleasedRecords {
    private static final String FILE = "catalog-0.1.txt";

    private ReleasedRecords() {}

    /** Returns the names of the queries, each after those that it needs. */
    static List<String> write(KafkaSettings kafka) {
        List<String> records = List.of(text().split("\n"));
        List<String> names = records.stream().map(line -> line.split(" ")[0]).toList();
        Topics.ensureResults(kafka, names);
        Map<String, Object> config = kafka.client("weir-released-records");
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String line : records) {
                String[] record = line.split(" ");
                byte[] key = record[0].getBytes(StandardCharsets.UTF_8);
                byte[] value = Base64.getDecoder().decode(record[1]);
                var unused = producer.send(new ProducerRecord<>(Topics.CATALOG, 0, key, value));
            }
            producer.flush();
        }
        return names;
    }

    private static String text() {
        try (InputStream file = ReleasedRecords.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new WeirException(ErrorCode.INTERNAL, FILE + " cannot be read");
        }
    }

    /** Waits until a server has rows of each. */
    static void awaitRows(Server server, List<String> names)
            throws InterruptedException, SQLException {
        long sinceNs = Clock.SYSTEM.nanos();
        for (String name : names) {
            while (server.count("SELECT * FROM " + name) == 0) {
                if (Clock.SYSTEM.nanos() - sinceNs > Scene.PATIENCE.toNanos()) {
                    throw new WeirException(
                            ErrorCode.INTERNAL,
                            server.process().name()
                                    + " has no rows of "
                                    + name
                                    + ", whose record is of another release");
                }
            }
        }
    }

    /** Drops the queries, those that need others first. */
    static void drop(Server server, List<String> names) throws InterruptedException, SQLException {
        for (int n = names.size() - 1; n >= 0; n--) {
            server.execute("DROP QUERY " + names.get(n));
        }
    }
}
