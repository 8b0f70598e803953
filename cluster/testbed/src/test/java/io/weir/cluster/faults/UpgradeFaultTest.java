package io.weir.cluster.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rolling upgrade and the way back, after a worker was killed. It runs beside others. */
@Tag("faults")
class UpgradeFaultTest {
    @TempDir private Path directory;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void eachRowIsThereOnceWhileReleasesChange() throws Exception {
        List<Fault> faults = List.of(Fault.KILL_WORKER, Fault.UPGRADE);
        CheckedRun.of(directory, faults, 3, CheckedRun.QUERIES);
    }
}
