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
                        "[0.9s][info][gc] GC(1) Pause Young (Allocation Failure) 61M->4M(217M)",
                        "[1s][info][gc,heap,exit]  def new generation   total 68800K, used 18K [0x");
        assertEquals(61L << 20, GcLog.mostBytes(lines));
        assertEquals(0, GcLog.mostBytes(List.of()));
    }

    @Test
    void orAtTheExit() {
        List<String> lines =
                List.of(
                        "[1s][info][gc,heap,exit]  def new generation   total 68800K, used 18K [0x",
                        "[1s][info][gc,heap,exit]   eden space 61184K,  26% used [0x00000000f200",
                        "[1s][info][gc,heap,exit]  tenured generation   total 152K, used 2K [0x",
                        "[1s][info][gc,heap,exit]  Metaspace       used 9077K, committed 9280K");
        assertEquals(20L << 10, GcLog.mostBytes(lines));
    }
}
