package io.weir.operators.kernel;

import io.weir.operators.gpv.Field;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;

/** Counts the packets of GPVs that no kernel reads. */
final class PacketCount {
    private PacketCount() {}

    static long of(GpvLayout layout, long address, int gpvs) {
        Field count = layout.field(GpvLayout.COUNT).orElseThrow();
        long packets = 0;
        long gpv = address;
        for (int g = 0; g < gpvs; g++) {
            int inGpv = (int) FieldAccess.load(count, layout.order(), gpv);
            packets += inGpv;
            gpv += layout.gpvBytes(inGpv);
        }
        return packets;
    }
}
