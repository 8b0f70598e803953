package io.weir.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The C++ programs beside which Weir is measured: builds and runs them. Cold. */
final class NativeBaseline {
    private static final String SOURCE = "per_source.cpp";

    private final Path program;

    private NativeBaseline(Path program) {
        this.program = program;
    }

    /**
     * One line of the program's.
     *
     * @param variant plain… or prefetch…
     * @param state fresh or warm
     */
    record Rate(String variant, String state, double mpps, long groups, long hash) {
        boolean isPlain() {
            return variant.startsWith("plain");
        }
    }

    /** Compiles for this machine; empty, and says so, when there is no g++. */
    static Optional<NativeBaseline> build(Path sources, Path outputs) throws IOException {
        Path program = outputs.resolve("per_source");
        Files.createDirectories(outputs);
        List<String> command =
                List.of(
                        "g++",
                        "-O3",
                        "-march=native",
                        "-std=c++17",
                        "-o",
                        program.toString(),
                        sources.resolve(SOURCE).toString());
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

    /** Measures all variants over a dumped trace. */
    List<Rate> measure(Path trace, int groups, int repetitions) {
        try {
            String text =
                    run(
                            List.of(
                                    program.toString(),
                                    trace.toString(),
                                    Integer.toString(groups),
                                    Integer.toString(repetitions)));
            return text.lines().map(NativeBaseline::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Rate parse(String line) {
        Map<String, String> fields =
                Arrays.stream(line.split(" "))
                        .map(field -> field.split("=", 2))
                        .collect(Collectors.toMap(field -> field[0], field -> field[1]));
        return new Rate(
                fields.get("variant"),
                fields.get("state"),
                Double.parseDouble(fields.get("mpps")),
                Long.parseLong(fields.get("groups")),
                Long.parseUnsignedLong(fields.get("hash"), 16));
    }

    /** What the program prints. */
    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(command.get(0) + " exits " + code + ":\n" + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
