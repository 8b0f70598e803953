package io.weir.ingest.fuzz;

import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * A frame of any bytes: the first two are its link type, the next two how much was cut off. No byte
 * behind it has an effect. For Jazzer.
 */
public final class FuzzHeaders {
    private static final int MOST_BYTES = 8192;
    private static final int BEHIND_BYTES = 256;
    private static final long ROOM =
            new NativeAllocator(1 << 20).allocate(MOST_BYTES + BEHIND_BYTES, MemoryTag.SCRATCH);

    private FuzzHeaders() {}

    /** Jazzer calls it. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 4 || data.length > MOST_BYTES) {
            return;
        }
        int linkType = (data[0] & 1) << 8 | data[1] & 0xFF;
        int cut = (data[2] & 0xFF) << 8 | data[3] & 0xFF;
        String zeros = decode(data, linkType, cut, (byte) 0);
        String ones = decode(data, linkType, cut, (byte) -1);
        if (!zeros.equals(ones)) {
            throw new IllegalStateException("reads behind the frame: " + zeros + " and " + ones);
        }
    }

    private static String decode(byte[] data, int linkType, int cut, byte behind) {
        int captured = data.length - 4;
        for (int i = 0; i < captured; i++) {
            Memory.putByte(ROOM + i, data[i + 4]);
        }
        for (int i = captured; i < captured + BEHIND_BYTES; i++) {
            Memory.putByte(ROOM + i, behind);
        }
        PacketHeaders to = new PacketHeaders();
        int code = PacketDecoder.decode(ROOM, captured, captured + cut, linkType, to);
        if (code != PacketDecoder.IP_PACKET) {
            return "code " + code;
        }
        if (Integer.compareUnsigned(to.payloadBytes, to.bytes) > 0) {
            throw new IllegalStateException("more payload than bytes");
        }
        return to.family
                + " "
                + to.proto
                + " "
                + to.srcHigh
                + " "
                + to.srcLow
                + " "
                + to.dstHigh
                + " "
                + to.dstLow
                + " "
                + to.srcPort
                + " "
                + to.dstPort
                + " "
                + to.bytes
                + " "
                + to.payloadBytes
                + " "
                + to.gap;
    }
}
