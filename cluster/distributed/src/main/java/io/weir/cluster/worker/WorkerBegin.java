package io.weir.cluster.worker;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.PacketGate;
import java.util.function.BooleanSupplier;

/**
 * Has a worker report its begin before the first packet of its live sources. All readers wait
 * meanwhile. Readers' threads.
 */
final class WorkerBegin {
    /** Packets of two sources are seen out of order, but not by more. */
    private static final long APART_NS = 1_000_000_000L;

    private final WorkerEngine queries;
    private final long delayNs;
    private final BooleanSupplier isKnown;
    private volatile boolean begun;

    /**
     * @param isKnown whether others know of this worker now
     */
    WorkerBegin(WorkerEngine queries, WorkerSettings settings, BooleanSupplier isKnown) {
        this.queries = queries;
        this.isKnown = isKnown;
        delayNs = settings.node().lateness().toNanos() + APART_NS;
    }

    /** Returns a gate that begins the worker before it takes the first packet. */
    PacketGate before(PacketGate gate) {
        return new Entrance(gate);
    }

    private synchronized void begin(long firstNs) {
        if (begun) {
            return;
        }
        try {
            boolean known = isKnown.getAsBoolean();
            queries.begin(known);
            queries.notBefore(firstNs - delayNs);
            queries.resume(firstNs, known);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        begun = true;
    }

    private final class Entrance implements PacketGate {
        private final PacketGate gate;
        private boolean passed;

        Entrance(PacketGate gate) {
            this.gate = gate;
        }

        private void come(long timeNs) {
            if (!passed) {
                passed = true;
                begin(timeNs);
            }
        }

        @Override
        public int verdict(PacketHeaders headers, long timeNs, boolean late) {
            come(timeNs);
            return gate.verdict(headers, timeNs, late);
        }

        @Override
        public long bucketNs() {
            return gate.bucketNs();
        }

        @Override
        public void take(long timeNs, long packets) {
            come(timeNs);
            gate.take(timeNs, packets);
        }

        @Override
        public long lost(long tsNs, long packets) {
            return gate.lost(tsNs, packets);
        }
    }
}
