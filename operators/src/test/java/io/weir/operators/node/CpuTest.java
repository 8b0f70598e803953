package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        assertEquals(before, allowed());
    }
}
