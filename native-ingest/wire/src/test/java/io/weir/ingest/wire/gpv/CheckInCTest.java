package io.weir.ingest.wire.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The decoders in C, under sanitizers: blocks, datagrams in frames, and records of pcap files.
 * Random bytes, and libFuzzer if clang has it.
 */
class CheckInCTest {
    private static final Path SOURCES =
            BlockFormatTest.HOUSE.resolve("native-ingest/wire/src/test/c");

    private static final Path HASHES =
            BlockFormatTest.HOUSE.resolve("operators/store/src/main/native");

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"gpv_fuzz.c", "datagram_fuzz.c", "records_fuzz.c"})
    void randomBytesAreReadInsideTheirEnd(String source) throws Exception {
        Path program = folder.resolve("check");
        compile(
                "gcc",
                source,
                program,
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all");
        String seed = String.valueOf(Long.getLong("weir.seed", 11));
        run(program.toString(), "200000", seed);
    }

    /** Writes sound inputs, with which a fuzzer begins. */
    private Path seeds(String source) throws Exception {
        Path program = folder.resolve("make");
        compile("clang", source, program);
        Path seeds = Files.createDirectory(folder.resolve("seeds"));
        run(program.toString(), "50", "1", seeds.toString());
        return seeds;
    }

    /** Longer: {@code -Dweir.fuzz.seconds=600}. */
    @ParameterizedTest
    @ValueSource(strings = {"gpv_fuzz.c", "datagram_fuzz.c", "records_fuzz.c"})
    void aFuzzerFindsNothing(String source) throws Exception {
        Path program = folder.resolve("fuzz");
        compile(
                "clang",
                source,
                program,
                "-DWITH_LIBFUZZER",
                "-fsanitize=fuzzer,address,undefined");
        long seconds = Long.getLong("weir.fuzz.seconds", 3);
        run(
                program.toString(),
                "-max_total_time=" + seconds,
                "-max_len=1024",
                "-seed=1",
                seeds(source).toString());
    }

    private void compile(String compiler, String source, Path program, String... options)
            throws Exception {
        List<String> command = new ArrayList<>(List.of(compiler, "-std=gnu17", "-g", "-O1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-I", HASHES.toString()));
        command.addAll(List.of(SOURCES.resolve(source).toString(), "-o", program.toString()));
        int failed = -1;
        try {
            failed = start(command).waitFor();
        } catch (IOException notThere) {
            // The assumption below tells it.
        }
        Assumptions.assumeTrue(failed == 0, "skipped: no " + compiler + " with sanitizers");
    }

    private void run(String... command) throws Exception {
        Process process = start(List.of(command));
        assertEquals(0, process.waitFor(), () -> log());
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
