package io.weir.cluster.faults;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of real processes is broken on purpose, in each of the ways, and each of its rows
 * checked. Faults that the machine does not allow are left out, as {@code weir cluster faults}
 * says. {@link UpgradeFaultTest} has the upgrade, so that both run at once. {@code -Dweir.excluded=
 * -Dgroups=faults} runs it.
 */
@Tag("faults")
class FaultsTest {
    @TempDir private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void eachRowIsThereOnceWhateverBreaks() throws Exception {
        EnumSet<Fault> faults = EnumSet.complementOf(EnumSet.of(Fault.UPGRADE));
        CheckedRun.of(directory, List.copyOf(faults), 3, CheckedRun.QUERIES);
    }
}
