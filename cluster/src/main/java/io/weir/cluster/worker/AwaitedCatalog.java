package io.weir.cluster.worker;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.PacketGate;
import java.util.function.BooleanSupplier;

/**
 * Turns packets away as {@link PacketGate#NO_CATALOG} until it is known which queries there are:
 * nobody would count them. The reader's thread.
 */
final class AwaitedCatalog implements PacketGate {
    private final PacketGate gate;
    private final BooleanSupplier known;

    /**
     * @param gate of packets that come once it is known
     */
    AwaitedCatalog(PacketGate gate, BooleanSupplier known) {
        this.gate = gate;
        this.known = known;
    }

    @Override
    public int verdict(PacketHeaders headers, long tsNs, boolean late) {
        return known.getAsBoolean() ? gate.verdict(headers, tsNs, late) : NO_CATALOG;
    }

    @Override
    public long lost(long tsNs, long packets) {
        return known.getAsBoolean() ? gate.lost(tsNs, packets) : packets;
    }
}
