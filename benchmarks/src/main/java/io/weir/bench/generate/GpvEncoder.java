package io.weir.bench.generate;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;

/**
 * Writes bursts as GPVs of {@code flow32} or {@code full}. It is independent of the product's
 * writer, so each checks the other. Layouts: {@link GpvLayout}. Stateless.
 */
final class GpvEncoder {
    private static final int FRAME_HEADER_BYTES = 14;
    private static final int FULL_TUPLE_BYTES = 48;

    private GpvEncoder() {}

    /** Writes the whole GPV at {@code address}. */
    static void write(Burst burst, GpvLayout layout, long address) {
        boolean full = layout.order() == ByteOrder.LITTLE_ENDIAN;
        if (full) {
            fullHeader(burst, address);
            fullTuples(burst, address + layout.headerBytes());
        } else {
            flowHeader(burst, address);
            flowTuples(burst, address + layout.headerBytes());
        }
    }

    private static void flowHeader(Burst burst, long address) {
        long rest = address + 32;
        if (burst.family == 4) {
            Memory.putIntBigEndian(address, (int) burst.srcLow);
            Memory.putIntBigEndian(address + 4, (int) burst.dstLow);
            rest = address + 8;
        } else {
            Memory.putLongBigEndian(address, burst.srcHigh);
            Memory.putLongBigEndian(address + 8, burst.srcLow);
            Memory.putLongBigEndian(address + 16, burst.dstHigh);
            Memory.putLongBigEndian(address + 24, burst.dstLow);
        }
        Memory.putShortBigEndian(rest, (short) burst.srcPort);
        Memory.putShortBigEndian(rest + 2, (short) burst.dstPort);
        Memory.putByte(rest + 4, (byte) burst.proto);
        Memory.putByte(rest + 5, (byte) 0);
        Memory.putShortBigEndian(rest + 6, (short) burst.count);
        Memory.putLongBigEndian(rest + 8, burst.startNs);
    }

    private static void flowTuples(Burst burst, long address) {
        for (int i = 0; i < burst.count; i++) {
            int tuple = burst.deltaMicros[i] << 12 | burst.bytes[i] << 1;
            Memory.putIntBigEndian(address + 4L * i, tuple);
        }
    }

    private static void fullHeader(Burst burst, long address) {
        long rest = address + 32;
        if (burst.family == 4) {
            Memory.putInt(address, (int) burst.srcLow);
            Memory.putInt(address + 4, (int) burst.dstLow);
            rest = address + 8;
        } else {
            Memory.putLong(address, burst.srcHigh);
            Memory.putLong(address + 8, burst.srcLow);
            Memory.putLong(address + 16, burst.dstHigh);
            Memory.putLong(address + 24, burst.dstLow);
        }
        Memory.putShort(rest, (short) burst.srcPort);
        Memory.putShort(rest + 2, (short) burst.dstPort);
        Memory.putByte(rest + 4, (byte) burst.proto);
        Memory.putByte(rest + 5, (byte) 0);
        Memory.putShort(rest + 6, (short) burst.count);
        Memory.putLong(rest + 8, burst.startNs);
        Memory.putLong(rest + 16, Frame.SRC_MAC << 16);
        Memory.putLong(rest + 24, Frame.DST_MAC << 16);
        Memory.putInt(rest + 32, Frame.etype(burst.family) << 16);
        Memory.putInt(rest + 36, 0);
        Memory.putInt(rest + 40, 0);
        Memory.putInt(rest + 44, 0);
    }

    private static void fullTuples(Burst burst, long address) {
        for (int i = 0; i < burst.count; i++) {
            long tuple = address + (long) FULL_TUPLE_BYTES * i;
            Memory.putInt(tuple, burst.deltaMicros[i] * 1000);
            Memory.putInt(tuple + 4, burst.bytes[i]);
            Memory.putInt(tuple + 8, burst.bytes[i] + FRAME_HEADER_BYTES);
            Memory.putInt(tuple + 12, burst.payloadBytes(i));
            Memory.putInt(tuple + 16, burst.tcpSeq[i]);
            Memory.putInt(tuple + 20, burst.tcpAck);
            int window = burst.proto == Burst.TCP ? Frame.TCP_WINDOW : 0;
            Memory.putInt(tuple + 24, window | burst.tcpFlags[i] << 16);
            Memory.putInt(tuple + 28, burst.ttl);
            Memory.putInt(tuple + 32, burst.family == 4 ? burst.ipId + i & 0xffff : 0);
            int captured = burst.bytes[i] + FRAME_HEADER_BYTES;
            Memory.putInt(tuple + 36, captured << 16);
            Memory.putLong(tuple + 40, captured >>> 16);
        }
    }
}
