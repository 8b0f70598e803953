package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;

/**
 * Loads and stores a {@link Field} of up to 64 bits in place, with any width, shift and byte order.
 * It is generic and not for the packet path: kernels and caches have the loads of their layout in
 * their code. Stateless; any thread.
 */
public final class FieldAccess {
    private FieldAccess() {}

    /**
     * @param base address of the header or tuple that the field belongs to
     */
    public static long load(Field field, ByteOrder order, long base) {
        long word = loadWord(field, order, base + field.offset()) >>> field.shift();
        return field.bits() == 64 ? word : word & (1L << field.bits()) - 1;
    }

    /** Stores the low bits of a value; keeps the word's other bits. */
    public static void store(Field field, ByteOrder order, long base, long value) {
        long address = base + field.offset();
        long mask = (field.bits() == 64 ? -1L : (1L << field.bits()) - 1) << field.shift();
        long kept = loadWord(field, order, address) & ~mask;
        storeWord(field, order, address, kept | value << field.shift() & mask);
    }

    private static long loadWord(Field field, ByteOrder order, long address) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        return switch (field.loadBytes()) {
            case 1 -> Memory.getByte(address);
            case 2 -> big ? Memory.getShortBigEndian(address) : Memory.getShort(address);
            case 4 -> big ? Memory.getIntBigEndian(address) : Memory.getInt(address);
            case 8 -> big ? Memory.getLongBigEndian(address) : Memory.getLong(address);
            default -> throw new IllegalArgumentException(field + " is wider than a word");
        };
    }

    private static void storeWord(Field field, ByteOrder order, long address, long word) {
        boolean swap = order == ByteOrder.BIG_ENDIAN;
        switch (field.loadBytes()) {
            case 1 -> Memory.putByte(address, (byte) word);
            case 2 -> {
                short half = (short) word;
                Memory.putShort(address, swap ? Short.reverseBytes(half) : half);
            }
            case 4 -> {
                int full = (int) word;
                Memory.putInt(address, swap ? Integer.reverseBytes(full) : full);
            }
            case 8 -> Memory.putLong(address, swap ? Long.reverseBytes(word) : word);
            default -> throw new IllegalArgumentException(field + " is wider than a word");
        }
    }
}
