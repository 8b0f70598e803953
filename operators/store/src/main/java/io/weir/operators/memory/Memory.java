package io.weir.operators.memory;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * Raw words at raw addresses, in the machine's byte order. Only this class and {@link
 * NativeAllocator} use Unsafe. Nothing is checked: an address outside the allocator's pieces ends
 * the process. Stateless; any thread.
 *
 * <p>The layouts need little endian words; the {@code BigEndian} loads and stores reverse them.
 */
public final class Memory {
    static {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalStateException("Weir runs on little endian machines only");
        }
    }

    private Memory() {}

    public static byte getByte(long address) {
        return UnsafeApi.getByte(address);
    }

    public static short getShort(long address) {
        return UnsafeApi.getShort(address);
    }

    public static int getInt(long address) {
        return UnsafeApi.getInt(address);
    }

    public static long getLong(long address) {
        return UnsafeApi.getLong(address);
    }

    public static double getDouble(long address) {
        return UnsafeApi.getDouble(address);
    }

    public static short getShortBigEndian(long address) {
        return Short.reverseBytes(UnsafeApi.getShort(address));
    }

    public static int getIntBigEndian(long address) {
        return Integer.reverseBytes(UnsafeApi.getInt(address));
    }

    public static long getLongBigEndian(long address) {
        return Long.reverseBytes(UnsafeApi.getLong(address));
    }

    public static void putByte(long address, byte value) {
        UnsafeApi.putByte(address, value);
    }

    public static void putShort(long address, short value) {
        UnsafeApi.putShort(address, value);
    }

    public static void putInt(long address, int value) {
        UnsafeApi.putInt(address, value);
    }

    public static void putLong(long address, long value) {
        UnsafeApi.putLong(address, value);
    }

    public static void putDouble(long address, double value) {
        UnsafeApi.putDouble(address, value);
    }

    public static void putShortBigEndian(long address, short value) {
        UnsafeApi.putShort(address, Short.reverseBytes(value));
    }

    public static void putIntBigEndian(long address, int value) {
        UnsafeApi.putInt(address, Integer.reverseBytes(value));
    }

    public static void putLongBigEndian(long address, long value) {
        UnsafeApi.putLong(address, Long.reverseBytes(value));
    }

    public static void copy(long from, long to, long bytes) {
        UnsafeApi.copyMemory(from, to, bytes);
    }

    public static void fill(long address, long bytes, byte value) {
        UnsafeApi.setMemory(address, bytes, value);
    }

    /** Fills with zeros. */
    public static void zero(long address, long bytes) {
        if (NativeCode.LOADED) {
            NativeCode.zero(address, bytes);
        } else {
            UnsafeApi.setMemory(address, bytes, (byte) 0);
        }
    }
}
