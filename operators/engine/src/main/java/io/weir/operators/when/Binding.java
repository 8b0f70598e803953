package io.weir.operators.when;

import io.weir.operators.graph.Inet;
import io.weir.operators.rows.RowBatch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of an upstream's row that tell activations of one query apart. A query whose condition
 * uses no values has one binding, {@link #NONE}. As bytes:
 *
 * <pre>
 *   byte values, then each as in ValueBytes
 * </pre>
 *
 * @param values each a Boolean, Long, Double, String or {@link Inet}
 */
public record Binding(List<Object> values) {
    public static final Binding NONE = new Binding(List.of());

    /** The most values: the count is one byte. */
    private static final int MOST_VALUES = Byte.MAX_VALUE;

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
        return 1 + ValueBytes.size(values);
    }

    void put(ByteBuffer into) {
        into.put((byte) values.size());
        values.forEach(value -> ValueBytes.put(value, into));
    }

    /**
     * Reads a binding.
     *
     * @throws BufferUnderflowException, IllegalArgumentException when these are no such bytes
     */
    static Binding read(ByteBuffer from) {
        List<Object> values = ValueBytes.read(from, from.get());
        if (values.contains(null)) {
            throw new IllegalArgumentException("a key that is NULL");
        }
        return values.isEmpty() ? NONE : new Binding(values);
    }
}
