package io.weir.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogTest {
    @Test
    void theMostIsBeforeACollection() {
        List<String> lines =
                List.of(
                        "[0.012s][info][gc] Using Serial",
                        "[0.5s][info][gc] GC(0) Pause Young (Allocation Failure) 57M->3M(217M)",
                        "[0.9s][info][gc] GC(1) Pause Young (Allocation Failure) 61M->4M(217M)");
        assertEquals(61L << 20, GcLog.mostBytes(lines));
        assertEquals(0, GcLog.mostBytes(List.of()));
    }
}
