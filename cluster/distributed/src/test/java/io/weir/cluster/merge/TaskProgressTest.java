package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A task that stands still says so after five seconds, and whom it waits for. */
class TaskProgressTest {
    private final TaskProgress progress = new TaskProgress("shard-1", 0);

    @Test
    void itSaysWhomItWaitsFor() {
        for (long ms = 0; ms < 7_000; ms += 50) {
            progress.look(ms, 1, () -> "a");
        }
        MergeStall stall = progress.stall(7_000).orElseThrow();
        assertEquals("shard-1 has stood still for 7 s: it waits for a", stall.text());
        progress.look(7_050, 2, () -> "a");
        assertEquals(Optional.empty(), progress.stall(7_100));
    }

    @Test
    void nothingToWaitForIsNoStall() {
        for (long ms = 0; ms < 20_000; ms += 50) {
            progress.look(ms, 1, () -> "");
        }
        assertEquals(Optional.empty(), progress.stall(20_000));
        for (long ms = 20_000; ms < 23_000; ms += 50) {
            progress.look(ms, 1, () -> "b");
        }
        assertEquals(Optional.empty(), progress.stall(23_000));
    }

    @Test
    void aThreadThatDoesNotComeBackIsAStall() {
        progress.look(100, 1, () -> "");
        assertEquals(Optional.empty(), progress.stall(5_000));
        assertEquals(6, progress.stall(6_100).orElseThrow().seconds());
    }
}
