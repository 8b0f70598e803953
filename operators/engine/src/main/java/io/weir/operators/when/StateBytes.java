package io.weir.operators.when;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads and writes the state of a WHEN as bytes. Stateless.
 *
 * <pre>
 *   format 1, of a query without values: byte awake (0 or 1), the activations
 *   format 2: byte 2, int bindings, then of each: the binding, byte awake,
 *     int pending, the activations with their values
 * </pre>
 *
 * Release 0.1 writes and reads format 1.
 */
final class StateBytes {
    private static final byte FORMAT = 2;

    private StateBytes() {}

    static byte[] of(Map<Binding, Activations> all) {
        Activations only = all.size() == 1 ? all.get(Binding.NONE) : null;
        if (only != null) {
            ByteBuffer bytes = ByteBuffer.allocate(1 + only.bytes(false));
            bytes.put(only.awakeByte());
            only.put(bytes, false);
            return bytes.array();
        }
        int size = 1 + Integer.BYTES;
        for (Map.Entry<Binding, Activations> one : all.entrySet()) {
            size += one.getKey().bytes() + 1 + Integer.BYTES + one.getValue().bytes(true);
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).put(FORMAT).putInt(all.size());
        all.forEach(
                (binding, of) -> {
                    binding.put(bytes);
                    bytes.put(of.awakeByte()).putInt(of.pending());
                    of.put(bytes, true);
                });
        return bytes.array();
    }

    /**
     * @throws IllegalArgumentException when these are no such bytes
     */
    static Map<Binding, Activations> read(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        Map<Binding, Activations> all = new LinkedHashMap<>();
        try {
            if (bytes.get(0) == FORMAT) {
                readValued(bytes, all);
            } else {
                int pending = (stored.length - 1) / Activations.ONE_BYTES - 1;
                all.put(Binding.NONE, Activations.read(bytes.get(), pending, bytes, false));
            }
            return all;
        } catch (BufferUnderflowException | IndexOutOfBoundsException cutOff) {
            throw new IllegalArgumentException("it is cut off", cutOff);
        }
    }

    private static void readValued(ByteBuffer bytes, Map<Binding, Activations> all) {
        bytes.get();
        for (int left = bytes.getInt(); left > 0; left--) {
            Binding binding = Binding.read(bytes);
            byte awake = bytes.get();
            all.put(binding, Activations.read(awake, bytes.getInt(), bytes, true));
        }
    }
}
