package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.NodeSettings;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    /** Whatever GPVs a worker is told to read: what it rehearses must not need more. */
    @Test
    void everyLayoutHasWhatIsRehearsed() {
        Map<String, List<GpvLayout>> byName =
                GpvLayout.all().stream().collect(Collectors.groupingBy(GpvLayout::name));
        byName.forEach((name, layouts) -> assertDoesNotThrow(() -> Rehearsal.run(layouts), name));
    }

    /** Two workers of a process share one; the second that ends leaves no thread and no memory. */
    @Test
    void endsWithTheLastWorkerOfTheProcess() {
        List<GpvLayout> layouts = NodeSettings.DEFAULT.layouts();
        Rehearsal.Part first = Rehearsal.begin(layouts);
        Rehearsal.Part second = Rehearsal.begin(layouts);
        first.close();
        first.close();
        second.close();
        assertEquals(0, NativeAllocator.usedByAllBytes(MemoryTag.RING));
        assertTrue(
                Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("weir-rehearsal")));
    }

    /** Whoever waits for the warm-up of a query is not kept by it. */
    @Test
    void aThreadThatIsInterruptedRehearsesNoMore() {
        Thread.currentThread().interrupt();
        assertFalse(Rehearsal.run(NodeSettings.DEFAULT.layouts()));
        assertTrue(Thread.interrupted());
    }
}
