package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where Kafka is: the same for all commands that must have one. */
final class KafkaOptions {
    @Option(
            names = "--kafka",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Brokers to begin with, with commas between.")
    private String bootstrap;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = {
                "Kafka's client properties for TLS and SASL. The environment's WEIR_KAFKA_CONFIG"
                        + " names a file too, and WEIR_KAFKA_SASL_JAAS_CONFIG, …_SSL_… and"
                        + " …_SECURITY_… override it."
            })
    private Path config;

    KafkaSettings settings() {
        return KafkaSettings.of(bootstrap, Optional.ofNullable(config), System.getenv());
    }
}
