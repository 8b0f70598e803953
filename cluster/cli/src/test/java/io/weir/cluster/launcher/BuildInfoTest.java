package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class BuildInfoTest {
    @Test
    void theVersionNamesTheCommitItWasBuiltFrom() {
        for (String asked : List.of("version", "--version", "-V")) {
            Cli.Result said = Cli.run(asked);
            assertEquals(0, said.code());
            assertEquals("", said.err());
            String commit = " \\([0-9a-f]{8}(, changed)?, 20\\d\\d-\\d\\d-\\d\\d\\)";
            assertTrue(said.out().matches("weir 0\\.1(" + commit + ")?\n"), said.out());
        }
    }

    @Test
    void builtWithoutGitThereIsTheVersionAlone() {
        Properties commit = new Properties();
        assertEquals("weir 0.1", BuildInfo.line(commit));
        commit.setProperty("git.commit.id.abbrev", "0123abcd");
        commit.setProperty("git.commit.time", "2026-11-24");
        commit.setProperty("git.dirty", "false");
        assertEquals("weir 0.1 (0123abcd, 2026-11-24)", BuildInfo.line(commit));
        commit.setProperty("git.dirty", "true");
        assertEquals("weir 0.1 (0123abcd, changed, 2026-11-24)", BuildInfo.line(commit));
    }
}
