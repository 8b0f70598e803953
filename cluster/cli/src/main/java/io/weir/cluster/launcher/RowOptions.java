package io.weir.cluster.launcher;

import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.format.SchemaRegistry;
import io.weir.cluster.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the format of rows in Kafka, the same for all commands that write some. */
final class RowOptions {
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
            description = "The folder for the rows' schemas, as files (Avro, Protobuf).")
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

    /** Returns the same Kafka settings with this format of rows. */
    KafkaSettings with(KafkaSettings settings) {
        Optional<String> login = Optional.ofNullable(System.getenv(SchemaRegistry.LOGIN_VARIABLE));
        return settings.with(
                new RowFormats(
                        RowFormat.parse(rows),
                        Optional.ofNullable(schemas),
                        Optional.ofNullable(registry).map(url -> registry(url, login))));
    }

    private static SchemaRegistry registry(String url, Optional<String> login) {
        return TypedOptions.named("--registry", () -> new SchemaRegistry(url, login));
    }
}
