package io.weir.cluster.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.launcher.Cli;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceChecksTest {
    @TempDir private Path folder;

    @Test
    void tellsWhySourcesCannotBeRead() {
        for (String uri :
                List.of("afpacket:nosuch0", "pcap:" + folder.resolve("none"), "nosuch:1")) {
            List<Finding> found = SourceChecks.run(uri);
            assertEquals(1, found.size(), uri);
            assertTrue(found.get(0).isBroken(), uri);
            assertFalse(found.get(0).remedy().isEmpty(), uri);
        }
        Cli.Result doctor = Cli.run("doctor", "--source", "afpacket:nosuch0");
        assertEquals(1, doctor.code());
        assertTrue(doctor.out().contains("first broken stage: source"), doctor.out());
    }

    @Test
    void whatCanBeReadIsNotBroken() {
        List<Finding> found = SourceChecks.run("gpv-udp:127.0.0.1:0");
        assertFalse(found.get(0).isBroken(), found.toString());
    }
}
