package io.weir.operators.when;

import io.weir.operators.graph.Inet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes values of rows: a Boolean, Long, Double, String, {@link Inet}, or null. Each is:
 *
 * <pre>
 *   byte tag; BOOLEAN byte, DOUBLE and integers long,
 *   VARCHAR int length and UTF-8, INET byte family, long high, long low
 * </pre>
 */
final class ValueBytes {
    private static final byte NULL = 0;
    private static final byte BOOLEAN = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte TEXT = 4;
    private static final byte INET = 5;

    private ValueBytes() {}

    static int size(List<Object> values) {
        return values.stream().mapToInt(ValueBytes::size).sum();
    }

    private static int size(Object value) {
        if (value == null) {
            return 1;
        } else if (value instanceof Boolean) {
            return 2;
        } else if (value instanceof String text) {
            return 1 + Integer.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
        }
        return value instanceof Inet ? 2 + 2 * Long.BYTES : 1 + Long.BYTES;
    }

    static void put(Object value, ByteBuffer into) {
        if (value == null) {
            into.put(NULL);
        } else if (value instanceof Boolean bool) {
            into.put(BOOLEAN).put((byte) (bool ? 1 : 0));
        } else if (value instanceof Long number) {
            into.put(LONG).putLong(number);
        } else if (value instanceof Double number) {
            into.put(DOUBLE).putDouble(number);
        } else if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            into.put(TEXT).putInt(utf8.length).put(utf8);
        } else {
            Inet address = (Inet) value;
            into.put(INET).put((byte) address.family());
            into.putLong(address.high()).putLong(address.low());
        }
    }

    /**
     * Reads values.
     *
     * @throws BufferUnderflowException, IllegalArgumentException when these are no such bytes
     */
    static List<Object> read(ByteBuffer from, int count) {
        List<Object> values = new ArrayList<>();
        for (int v = 0; v < count; v++) {
            values.add(value(from));
        }
        return values;
    }

    private static Object value(ByteBuffer from) {
        byte tag = from.get();
        return switch (tag) {
            case NULL -> null;
            case BOOLEAN -> from.get() != 0;
            case LONG -> from.getLong();
            case DOUBLE -> from.getDouble();
            case TEXT -> text(from);
            case INET -> new Inet(from.get(), from.getLong(), from.getLong());
            default -> throw new IllegalArgumentException("a value of kind " + tag);
        };
    }

    private static String text(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("a text of " + length + " bytes");
        }
        byte[] utf8 = new byte[length];
        from.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
