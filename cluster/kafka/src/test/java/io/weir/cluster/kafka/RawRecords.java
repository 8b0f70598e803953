package io.weir.cluster.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What somebody may do to the topics who is not Weir. */
public final class RawRecords {
    private RawRecords() {}

    public static void write(KafkaSettings kafka, String topic, String key, byte[] value)
            throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        kafka.client("test"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(topic, 0, bytes, value)).get(60, TimeUnit.SECONDS);
        }
    }

    public static void configure(KafkaSettings kafka, String topic, String key, String value)
            throws Exception {
        try (Admin admin = Admin.create(kafka.client("test"))) {
            admin.incrementalAlterConfigs(
                            Map.of(
                                    new ConfigResource(ConfigResource.Type.TOPIC, topic),
                                    List.of(
                                            new AlterConfigOp(
                                                    new ConfigEntry(key, value),
                                                    AlterConfigOp.OpType.SET))))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
    }
}
