package io.weir.cluster.format;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The form of rows, and the receivers of their schemas. Thread-safe.
 *
 * @param schemas a directory for files of schemas
 */
public record RowFormats(
        RowFormat format, Optional<Path> schemas, Optional<SchemaRegistry> registry) {
    public static final RowFormats PLAIN =
            new RowFormats(RowFormat.JSON, Optional.empty(), Optional.empty());

    private static final Set<PosixFilePermission> READABLE =
            PosixFilePermissions.fromString("rw-r--r--");

    public RowFormats {
        if (format == RowFormat.JSON && (schemas.isPresent() || registry.isPresent())) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "rows as JSON have no schema",
                    "--rows avro or --rows protobuf with --schemas and --registry");
        }
    }

    /**
     * Makes an encoder for the rows of a query. It writes and registers the schema first.
     *
     * @param topic that they go to
     */
    public RowEncoder encoder(Query query, String topic) {
        if (format == RowFormat.JSON) {
            return new JsonRows(query);
        } else if (format == RowFormat.AVRO) {
            String schema = AvroRows.schema(query).toString();
            schemas.ifPresent(directory -> write(directory, topic + ".avsc", bytes(schema)));
            return new AvroRows(query, registered(topic, schema));
        }
        ProtobufSchema schema = new ProtobufSchema(query);
        schemas.ifPresent(
                directory -> {
                    write(directory, topic + ".proto", bytes(schema.text()));
                    write(directory, topic + ".desc", schema.files().toByteArray());
                });
        return new ProtobufRows(query, registered(topic, schema.text()));
    }

    private OptionalInt registered(String topic, String schema) {
        return registry.map(r -> OptionalInt.of(r.register(topic + "-value", format, schema)))
                .orElseGet(OptionalInt::empty);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The file is replaced in one move, because workers of one machine may write it at once.
     * Readers of rows may be other users, so everybody may read it.
     */
    private static void write(Path directory, String name, byte[] content) {
        try {
            Files.createDirectories(directory);
            Path next = Files.createTempFile(directory, name, ".part");
            Files.write(next, content);
            if (Files.getFileAttributeView(next, PosixFileAttributeView.class) != null) {
                Files.setPosixFilePermissions(next, READABLE);
            }
            Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNWRITABLE_OUTPUT,
                    "the schema " + name + " cannot be written to " + directory);
        }
    }
}
