package io.weir.cluster.worker;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.PacketGate;
import java.util.function.BooleanSupplier;

/**
 * Excludes packets as {@link PacketGate#NO_CATALOG} until the queries are known, because nobody
 * would count them. The reader's thread.
 */
final class AwaitedCatalog implements PacketGate {
    private final PacketGate gate;
    private final BooleanSupplier known;

    /**
     * @param gate for packets that come once the queries are known
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
