package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for Kafka's address, the same for all commands that need one. */
final class KafkaOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

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
            names = "--shards",
            paramLabel = "N",
            description = {
                "The parts over which a merge's groups are spread. The first process of a cluster"
                        + " chooses it, and all others have the same (default: 4)."
            })
    private Integer shards;

    KafkaSettings settings() {
        return given().orElseThrow(KafkaOptions::missing);
    }

    private static WeirException missing() {
        return new WeirException(
                ErrorCode.INVALID_OPTION,
                "Missing required option: '--kafka=HOST:PORT'",
                "weir broker starts a Kafka for trials");
    }

    /** Returns empty if no Kafka was named. */
    Optional<KafkaSettings> given() {
        if (bootstrap == null) {
            TypedOptions.checkNone(command, this, "goes with --kafka", "--kafka HOST:PORT");
        }
        return Optional.ofNullable(bootstrap).map(this::settings);
    }

    private KafkaSettings settings(String addresses) {
        KafkaSettings settings =
                KafkaSettings.of(addresses, Optional.ofNullable(config), System.getenv());
        return shards == null ? settings : settings.withShards(shards);
    }
}
