package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.weir.operators.gpv.GpvLayout;
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
}
