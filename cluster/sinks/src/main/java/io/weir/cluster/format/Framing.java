package io.weir.cluster.format;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/**
 * Writes the bytes before a value whose schema is at a registry, as Confluent's clients do. They
 * are a zero byte and the schema's number; for Protobuf also the number of the message in the file,
 * which is the first.
 */
final class Framing {
    private static final int AVRO_BYTES = 1 + Integer.BYTES;

    private Framing() {}

    static byte[] framed(RowFormat format, OptionalInt schemaId, byte[] value) {
        if (schemaId.isEmpty()) {
            return value;
        }
        return ByteBuffer.allocate(length(format) + value.length)
                .put((byte) 0)
                .putInt(schemaId.getAsInt())
                .put(new byte[length(format) - AVRO_BYTES])
                .put(value)
                .array();
    }

    /** The first message's path, [0], is written as one zero byte. */
    private static int length(RowFormat format) {
        return format == RowFormat.PROTOBUF ? AVRO_BYTES + 1 : AVRO_BYTES;
    }

    /** Throws IllegalArgumentException if the bytes are wrong. */
    static byte[] bare(RowFormat format, byte[] framed) {
        int length = length(format);
        if (framed.length < length
                || framed[0] != 0
                || framed[length - 1] != 0 && length > AVRO_BYTES) {
            throw new IllegalArgumentException("no schema's number before the row");
        }
        byte[] value = new byte[framed.length - length];
        System.arraycopy(framed, length, value, 0, value.length);
        return value;
    }
}
