package io.weir.ingest.wire.dpdk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Builds and runs programs over the C of DPDK. */
public final class DpdkProgram {
    private static final Path C = Path.of("src", "main", "c", "dpdk").toAbsolutePath();
    private static final Path TESTS = Path.of("src", "test", "c").toAbsolutePath();
    private static final String SANITIZERS =
            " -fsanitize=address,undefined -fno-sanitize-recover=all";

    private DpdkProgram() {}

    /** Builds the program that receives, under sanitizers. */
    public static Path receiver(Path folder) throws IOException, InterruptedException {
        return build(
                folder,
                "dpdk_main.c",
                SANITIZERS,
                "environment.c port.c queue.c blocks.c".split(" "));
    }

    /** Builds the program that sends. */
    public static Path sender(Path folder) throws IOException, InterruptedException {
        return build(folder, "dpdk_send.c", "", "environment.c");
    }

    /** Builds a library that puts frames into a ring of this process. */
    public static Path ringFeed(Path folder) throws IOException, InterruptedException {
        return build(folder, "ring_feed.c", " -shared -fPIC");
    }

    private static Path build(Path folder, String main, String options, String... parts)
            throws IOException, InterruptedException {
        StringBuilder command = new StringBuilder("gcc -std=gnu17 -g -O1 -Wall -Wextra -Werror");
        command.append(options).append(" $(pkg-config --cflags libdpdk) -I ").append(C);
        Path program = folder.resolve(main + ".out");
        command.append(" -o ").append(program).append(' ').append(TESTS.resolve(main));
        for (String part : parts) {
            command.append(' ').append(C.resolve(part));
        }
        command.append(" -lrte_ethdev -lrte_mbuf -lrte_mempool -lrte_ring -lrte_eal");
        Path log = folder.resolve("build.log");
        int failed = run(log, "sh", "-c", command.toString());
        assumeTrue(failed == 0, "gcc has no sanitizers, or DPDK no headers: " + text(log));
        return program;
    }

    /** Runs a command to its end. Returns its exit code. */
    public static int run(Path log, String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    /** Returns all that a command has written. */
    public static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
