package io.weir.cluster.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Who tells packets that were lost before the capture, and that they are counted as had. */
class LostAtCaptureTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void oneSliceTellsOfThem() {
        SliceGate first = new SliceGate(0, 3, Long.MIN_VALUE, 0);
        SliceGate second = new SliceGate(1, 3, Long.MIN_VALUE, 0);
        assertEquals(7, first.lost(SECOND_NS, 7));
        assertEquals(0, second.lost(SECOND_NS, 7));
        assertEquals(7, first.before(2 * SECOND_NS));
        assertEquals(0, second.before(2 * SECOND_NS));
    }

    @Test
    void whoHadTheSliceBeforeHasTold() {
        SliceGate gate = new SliceGate(0, 3, 2 * SECOND_NS, 0);
        assertEquals(0, gate.lost(SECOND_NS, 7));
        assertEquals(4, gate.lost(2 * SECOND_NS, 4));
        assertEquals(7, gate.before(2 * SECOND_NS));
        assertEquals(11, gate.before(3 * SECOND_NS));
    }

    /** Else the merge would take them for packets of nobody. */
    @Test
    void theyAreInTheWorkersCounts() {
        try (PacketLedger ledger = PacketLedger.none()) {
            CountingGate gate = new CountingGate(ledger, 0);
            assertEquals(1L << 40, gate.lost(SECOND_NS, 1L << 40));
            assertEquals(1L << 40, gate.before(Long.MAX_VALUE));
            assertEquals(0, gate.before(SECOND_NS));
        }
    }
}
