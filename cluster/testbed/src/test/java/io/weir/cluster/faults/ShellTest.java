package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ShellTest {
    @Test
    @Timeout(60)
    void aProcessIsFrozenAndThawed() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            Shell.signal("STOP", process.pid());
            awaitState(process, "T");
            Shell.signal("CONT", process.pid());
            awaitState(process, "S");
            Shell.signal("TERM", process.pid());
            assertEquals(128 + 15, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    /** As Linux tells it, after the name in brackets. */
    private static void awaitState(Process process, String state) throws Exception {
        Path told = Path.of("/proc", Long.toString(process.pid()), "stat");
        Await.until(() -> Files.readString(told).contains(") " + state + " "));
    }
}
