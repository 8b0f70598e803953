package io.weir.operators.when;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The facts of an activation of a query that uses values, beside its times. The process that tests
 * rows makes them, and all others take them over. So groups of several workers are equal. As bytes:
 *
 * <pre>
 *   long number, long interval, int values, then each as in ValueBytes
 * </pre>
 *
 * @param number of the activation, from 1 up; greater than those of all earlier ones
 * @param intervalNs when the query began to count for its bindings, without a gap until now
 * @param values of the row that woke it, in the order of the correlation; null is NULL
 */
public record Waking(long number, long intervalNs, List<Object> values) {
    private static final int MOST_VALUES = 1 << 16;

    public Waking {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** Returns it as bytes; {@link #of(byte[])} reads them. */
    public byte[] toBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(size());
        put(bytes);
        return bytes.array();
    }

    /**
     * Returns the facts of these bytes; empty if there are none.
     *
     * @throws IllegalArgumentException when these are no such bytes
     */
    public static Optional<Waking> of(byte[] bytes) {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        ByteBuffer from = ByteBuffer.wrap(bytes);
        try {
            Waking read = read(from);
            if (from.hasRemaining()) {
                throw new IllegalArgumentException("bytes after the values");
            }
            return Optional.of(read);
        } catch (BufferUnderflowException cutOff) {
            throw new IllegalArgumentException("it is cut off", cutOff);
        }
    }

    int size() {
        return 2 * Long.BYTES + Integer.BYTES + ValueBytes.size(values);
    }

    void put(ByteBuffer into) {
        into.putLong(number).putLong(intervalNs).putInt(values.size());
        values.forEach(value -> ValueBytes.put(value, into));
    }

    /**
     * Reads it.
     *
     * @throws BufferUnderflowException, IllegalArgumentException when these are no such bytes
     */
    static Waking read(ByteBuffer from) {
        long number = from.getLong();
        long intervalNs = from.getLong();
        int count = from.getInt();
        if (count < 0 || count > MOST_VALUES) {
            throw new IllegalArgumentException(count + " values");
        }
        return new Waking(number, intervalNs, ValueBytes.read(from, count));
    }
}
