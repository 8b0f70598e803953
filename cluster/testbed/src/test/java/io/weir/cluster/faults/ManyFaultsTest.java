package io.weir.cluster.faults;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many kills in any order, and many queries. It runs beside {@link FaultsTest}, which is longer.
 */
@Tag("faults")
class ManyFaultsTest {
    private static final int MANY_QUERIES = 1_000;

    @TempDir private Path directory;

    /** Three orders of kills and starts; all packets are added up after each. */
    @Test
    void eachPacketIsToldOnceInAnyOrderOfKills() throws Exception {
        List<Fault> faults = Collections.nCopies(3, Fault.COMBINATIONS);
        CheckedRun.of(directory, faults, 1, CheckedRun.QUERIES);
    }

    /** Twenty shapes, while packets flow. One broker: three would take most of two cores. */
    @Test
    void eachRowIsThereOnceWhileAThousandQueriesComeAndGo() throws Exception {
        CheckedRun.of(directory, List.of(Fault.MANY_QUERIES), 1, MANY_QUERIES);
    }
}
