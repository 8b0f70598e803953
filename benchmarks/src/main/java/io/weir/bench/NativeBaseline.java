package io.weir.bench;

import io.weir.bench.kernel.Work;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds and starts the C++ program beside which Weir is measured. Cold. */
final class NativeBaseline {
    static final String PLAIN = "plain";
    static final String BEST = "best";

    static final List<String> FLAGS = List.of("-O3", "-march=native", "-std=c++17");

    private final Path program;

    private NativeBaseline(Path program) {
        this.program = program;
    }

    /**
     * Compiles for this machine, unless the program is newer than its sources. Without g++ it says
     * so and returns empty.
     */
    static Optional<NativeBaseline> build(Path sources, Path outputs) throws IOException {
        Path program = outputs.toAbsolutePath().resolve("works");
        Files.createDirectories(outputs);
        if (isNewer(program, sources)) {
            return Optional.of(new NativeBaseline(program));
        }
        List<String> command = new ArrayList<>(List.of("g++"));
        command.addAll(FLAGS);
        command.addAll(List.of("-o", program.toString()));
        try (Stream<Path> files = Files.list(sources)) {
            files.map(Path::toString)
                    .filter(f -> f.endsWith(".cpp"))
                    .sorted()
                    .forEach(command::add);
        }
        try {
            run(command);
        } catch (IOException absent) {
            System.err.println(
                    "no native baseline: g++ cannot be started; to have one,"
                            + " sudo apt-get install g++ ("
                            + absent.getMessage()
                            + ")");
            return Optional.empty();
        }
        return Optional.of(new NativeBaseline(program));
    }

    private static boolean isNewer(Path program, Path sources) throws IOException {
        if (!Files.exists(program)) {
            return false;
        }
        FileTime built = Files.getLastModifiedTime(program);
        try (Stream<Path> files = Files.list(sources)) {
            for (Path file : files.toList()) {
                if (Files.getLastModifiedTime(file).compareTo(built) >= 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Starts the program for one work over a trace, with both variants. */
    Contender start(Path trace, Work work, Work.State state) {
        return Contender.start(
                List.of(
                        program.toString(),
                        trace.toString(),
                        work.nativeName(),
                        state.nativeName(),
                        "0",
                        Long.toString(work.threshold())));
    }

    private static void run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(command.get(0) + " exits " + code + ":\n" + text);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
