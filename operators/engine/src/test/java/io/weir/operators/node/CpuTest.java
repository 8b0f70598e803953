package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The kernel itself says where a thread may run. */
final class CpuTest {
    private static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void oneThreadIsBoundAndSetFreeAgain() throws IOException {
        String before = allowed();
        String first = before.split("[-,]")[0];
        Cpu.Binding binding = Cpu.bind(Integer.parseInt(first));
        assertEquals(first, allowed());
        binding.close();
        assertEquals(before, allowed());
    }

    @Test
    void aCpuThatIsNotThereIsAnError() throws IOException {
        String before = allowed();
        WeirException refused = assertThrows(WeirException.class, () -> Cpu.bind(9999));
        assertEquals(ErrorCode.INVALID_OPTION, refused.code());
        assertEquals("a thread cannot be bound to CPU 9999", refused.getMessage());
        assertEquals(before, allowed());
    }

    /** What the system does with each is the oracle. */
    @Test
    void whoMayBeBoundIsToldBeforehand() throws IOException {
        int last = Integer.parseInt(allowed().replaceAll(".*[-,]", ""));
        for (int cpu = -2; cpu <= last + 2; cpu++) {
            assertEquals(isTaken(cpu), isThere(cpu), "CPU " + cpu);
        }
    }

    private static boolean isThere(int cpu) {
        try {
            new ThreadOptions(IdleMode.PARK, List.of(cpu), false).check();
            return true;
        } catch (WeirException e) {
            return false;
        }
    }

    private static boolean isTaken(int cpu) throws IOException {
        Process taskset =
                new ProcessBuilder("taskset", "-c", String.valueOf(cpu), "true")
                        .redirectErrorStream(true)
                        .start();
        taskset.getInputStream().readAllBytes();
        return taskset.onExit().join().exitValue() == 0;
    }
}
