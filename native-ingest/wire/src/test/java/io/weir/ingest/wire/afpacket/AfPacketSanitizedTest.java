package io.weir.ingest.wire.afpacket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The C of afpacket: reads the loopback under the address and undefined behaviour sanitizers. */
class AfPacketSanitizedTest {
    private static final int NOT_ALLOWED = 77;

    @TempDir Path folder;

    private static int run(StringBuilder out, List<String> command)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        out.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        return process.waitFor();
    }

    @Test
    void readsTheLoopback() throws IOException, InterruptedException {
        String program = folder.resolve("afpacket").toString();
        StringBuilder out = new StringBuilder();
        try {
            int built =
                    run(
                            out,
                            List.of(
                                    "gcc",
                                    "-std=gnu17",
                                    "-g",
                                    "-Wall",
                                    "-Wextra",
                                    "-Werror",
                                    "-fsanitize=address,undefined",
                                    "-fno-sanitize-recover=all",
                                    "-o",
                                    program,
                                    "src/test/c/afpacket_main.c",
                                    "src/main/c/sockets/afpacket.c"));
            Assumptions.assumeTrue(built == 0 || !out.toString().contains("lasan"), "no sanitizer");
            assertEquals(0, built, out.toString());
        } catch (IOException e) {
            Assumptions.abort("no gcc");
        }
        int code = run(out, List.of(program));
        Assumptions.assumeFalse(code == NOT_ALLOWED, "CAP_NET_RAW is missing: " + out);
        assertEquals(0, code, out.toString());
    }
}
