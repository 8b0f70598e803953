package io.weir.cluster.launcher;

import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.format.SchemaRegistry;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where Kafka is: the same for all commands that must have one. */
final class KafkaOptions {
    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "Kafka's brokers to begin with, with commas between.")
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

    @Option(
            names = "--rows",
            paramLabel = "FORMAT",
            defaultValue = "json",
            description = {
                "How rows of results are written: json, avro or protobuf (default:"
                        + " ${DEFAULT-VALUE})."
            })
    private String rows;

    @Option(
            names = "--schemas",
            paramLabel = "DIR",
            description = "Where the rows' schemas are written, as files (Avro, Protobuf).")
    private Path schemas;

    @Option(
            names = "--registry",
            paramLabel = "URL",
            description = {
                "A schema registry (Confluent's REST interface): rows then begin with their"
                        + " schema's number. User and password come from the environment's "
                        + SchemaRegistry.LOGIN_VARIABLE
                        + "."
            })
    private String registry;

    KafkaSettings settings() {
        return given().orElseThrow(KafkaOptions::missing);
    }

    private static WeirException missing() {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "Missing required option: '--kafka=HOST:PORT'",
                "weir broker starts a Kafka for trials");
    }

    /** Empty where no Kafka was named. */
    Optional<KafkaSettings> given() {
        return Optional.ofNullable(bootstrap).map(this::settings);
    }

    private KafkaSettings settings(String addresses) {
        Optional<String> login = Optional.ofNullable(System.getenv(SchemaRegistry.LOGIN_VARIABLE));
        RowFormats formats =
                new RowFormats(
                        RowFormat.parse(rows),
                        Optional.ofNullable(schemas),
                        Optional.ofNullable(registry).map(url -> new SchemaRegistry(url, login)));
        return KafkaSettings.of(addresses, Optional.ofNullable(config), System.getenv())
                .with(formats);
    }
}
