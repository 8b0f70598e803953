package io.weir.operators.when;

import io.weir.operators.graph.Inet;
import io.weir.operators.rows.RowBatch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of an upstream's row that tell activations of one query apart. A query whose condition
 * uses no values has one binding, {@link #NONE}. As bytes:
 *
 * <pre>
 *   byte values, then of each: byte tag; BOOLEAN byte, DOUBLE and integers long,
 *   VARCHAR int length and UTF-8, INET byte family, long high, long low
 * </pre>
 *
 * @param values each a Boolean, Long, Double, String or {@link Inet}
 */
public record Binding(List<Object> values) {
    public static final Binding NONE = new Binding(List.of());

    /** The most values: the count is one byte. */
    private static final int MOST_VALUES = Byte.MAX_VALUE;

    private static final byte BOOLEAN = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte TEXT = 4;
    private static final byte INET = 5;

    public Binding {
        values = List.copyOf(values);
        if (values.size() > MOST_VALUES) {
            throw new IllegalArgumentException(values.size() + " values");
        }
    }

    /** Returns the binding of a row; empty if a value is NULL, which equals nothing. */
    static Optional<Binding> of(RowBatch batch, int row, List<Integer> columns) {
        if (columns.isEmpty()) {
            return Optional.of(NONE);
        }
        List<Object> values = new ArrayList<>(columns.size());
        for (int column : columns) {
            Object value = batch.value(row, column);
            if (value == null) {
                return Optional.empty();
            }
            values.add(value);
        }
        return Optional.of(new Binding(values));
    }

    /** Returns it as bytes; {@link #of(byte[])} reads them. */
    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(bytes());
        put(bytes);
        return bytes.array();
    }

    /**
     * Returns the binding of these bytes.
     *
     * @throws IllegalArgumentException when these are no such bytes
     */
    public static Binding of(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        try {
            Binding read = read(from);
            if (from.hasRemaining()) {
                throw new IllegalArgumentException("bytes after the values");
            }
            return read;
        } catch (BufferUnderflowException cutOff) {
            throw new IllegalArgumentException("it is cut off", cutOff);
        }
    }

    int bytes() {
        return 1 + values.stream().mapToInt(Binding::bytes).sum();
    }

    private static int bytes(Object value) {
        if (value instanceof Boolean) {
            return 2;
        } else if (value instanceof String text) {
            return 1 + Integer.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
        }
        return value instanceof Inet ? 2 + 2 * Long.BYTES : 1 + Long.BYTES;
    }

    void put(ByteBuffer into) {
        into.put((byte) values.size());
        values.forEach(value -> put(value, into));
    }

    private static void put(Object value, ByteBuffer into) {
        if (value instanceof Boolean bool) {
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
     * Reads a binding.
     *
     * @throws BufferUnderflowException, IllegalArgumentException when these are no such bytes
     */
    static Binding read(ByteBuffer from) {
        int count = from.get();
        List<Object> values = new ArrayList<>();
        for (int v = 0; v < count; v++) {
            values.add(value(from));
        }
        return values.isEmpty() ? NONE : new Binding(values);
    }

    private static Object value(ByteBuffer from) {
        byte tag = from.get();
        return switch (tag) {
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
