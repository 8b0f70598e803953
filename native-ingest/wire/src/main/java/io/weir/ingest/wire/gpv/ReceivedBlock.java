package io.weir.ingest.wire.gpv;

import io.weir.operators.memory.Memory;

/**
 * The header of a block that C has checked: the struct GpvBlock of gpv/block.h. One thread; {@link
 * #wrap} moves it.
 */
public final class ReceivedBlock {
    public static final int BYTES = 80;

    private static final int GPVS_AT = 0;
    private static final int GPVS_BYTES = 8;
    private static final int FAULT = 12;
    private static final int LAYOUT = 14;
    private static final int SOURCE = 16;
    private static final int EPOCH = 20;
    private static final int SEQUENCE = 24;
    private static final int INSTANCE = 28;
    private static final int GPVS = 30;
    private static final int PACKETS = 32;
    private static final int TOTAL = 40;
    private static final int WATERMARK = 48;
    private static final int NEWEST = 56;
    private static final int SENDER_HIGH = 64;
    private static final int SENDER_LOW = 72;

    private long address;

    /** Moves it to a block. */
    public ReceivedBlock wrap(long block) {
        address = block;
        return this;
    }

    WireFault fault() {
        return WireFault.ALL[Memory.getShort(address + FAULT)];
    }

    /** Returns the address of its first GPV. */
    long gpvsAddress() {
        return Memory.getLong(address + GPVS_AT);
    }

    /** Returns the length of its GPVs, if it is sound. */
    int gpvsBytes() {
        return Memory.getInt(address + GPVS_BYTES);
    }

    int layoutId() {
        return Memory.getShort(address + LAYOUT);
    }

    int gpvs() {
        return Memory.getShort(address + GPVS) & 0xFFFF;
    }

    int packets() {
        return Memory.getInt(address + PACKETS);
    }

    int epoch() {
        return Memory.getInt(address + EPOCH);
    }

    int sequence() {
        return Memory.getInt(address + SEQUENCE);
    }

    /** Returns the packets of all blocks before this one, of its instance in its epoch. */
    long total() {
        return Memory.getLong(address + TOTAL);
    }

    /** Returns the sender's watermark; 0 if it sends none, as switches do. */
    long watermarkNs() {
        return Memory.getLong(address + WATERMARK);
    }

    /** Returns the time of the newest packet; 0 without one. */
    long newestNs() {
        return Memory.getLong(address + NEWEST);
    }

    /** Returns source and instance in one word. */
    long stream() {
        long source = Memory.getInt(address + SOURCE) & 0xFFFF_FFFFL;
        return source << Short.SIZE | Memory.getShort(address + INSTANCE) & 0xFFFFL;
    }

    long senderHigh() {
        return Memory.getLong(address + SENDER_HIGH);
    }

    long senderLow() {
        return Memory.getLong(address + SENDER_LOW);
    }
}
