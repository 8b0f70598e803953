package io.weir.operators.kernel;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;

/** Counts the packets of GPVs that no kernel runs over. */
final class PacketCount {
    private PacketCount() {}

    static long of(GpvLayout layout, long address, int gpvs) {
        Field count = layout.field(GpvLayout.COUNT).orElseThrow();
        boolean turned = layout.order() == ByteOrder.BIG_ENDIAN;
        long packets = 0;
        long gpv = address;
        for (int g = 0; g < gpvs; g++) {
            short raw = Memory.getShort(gpv + count.offset());
            int inGpv = (turned ? Short.reverseBytes(raw) : raw) & 0xFFFF;
            packets += inGpv;
            gpv += layout.gpvBytes(inGpv);
        }
        return packets;
    }
}
