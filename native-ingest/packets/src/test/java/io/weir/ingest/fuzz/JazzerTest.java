package io.weir.ingest.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.Packing;
import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.Outlet;
import io.weir.ingest.source.RandomCapture;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.traces.Traces;
import io.weir.operators.account.Account;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jazzer changes captures, compressed ones, frames and blocks, and finds nothing. It runs in a
 * process of its own for a few seconds. Longer: {@code -Dweir.fuzz.seconds=600}.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
class JazzerTest {
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final int MOST_BYTES = 4096;
    private static final int HEADER_BYTES = 24;
    private static final int RECORD_BYTES = 16;
    private static final int LINK_TYPES = 300;

    @TempDir private Path folder;

    private final Random random = new Random(Long.getLong("weir.seed", 17));
    private int seeds;

    private void seed(byte[] bytes) throws IOException {
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        Files.write(corpus.resolve("seed" + seeds++), bytes);
    }

    /** Captures of the repository's tests, and those that are shared beside it. */
    private List<Path> small() {
        List<Path> all = new ArrayList<>(Traces.small(MOST_BYTES));
        for (int i = 0; i < 20; i++) {
            all.add(RandomCapture.write(random, folder, "capture" + i, 1 + random.nextInt(12)));
        }
        return all;
    }

    @Test
    void captures() throws Exception {
        for (Path capture : small()) {
            seed(Files.readAllBytes(capture));
        }
        fuzz(FuzzCaptures.class);
    }

    @Test
    void compressedCaptures() throws Exception {
        for (int i = 0; i < 60; i++) {
            Path plain = RandomCapture.write(random, folder, "plain" + i, random.nextInt(20));
            seed(Files.readAllBytes(Packing.replace(random, plain)));
        }
        fuzz(FuzzCaptures.class);
    }

    /** Seeds are first frames of captures, with link types of all kinds. */
    @Test
    void frames() throws Exception {
        for (Path capture : small()) {
            byte[] bytes = Files.readAllBytes(capture);
            int at = HEADER_BYTES + RECORD_BYTES;
            if (bytes.length > at + RECORD_BYTES) {
                byte[] frame = Arrays.copyOfRange(bytes, at - 4, Math.min(bytes.length, at + 200));
                int type = random.nextInt(3) == 0 ? random.nextInt(LINK_TYPES) : bytes[20] & 0xFF;
                frame[0] = (byte) (type >> 8);
                frame[1] = (byte) type;
                frame[2] = 0;
                frame[3] = (byte) random.nextInt(4);
                seed(frame);
            }
        }
        fuzz(FuzzHeaders.class);
    }

    @Test
    void blocks() throws Exception {
        for (int i = 0; i < 10; i++) {
            Path capture = RandomCapture.write(random, folder, "flows" + i, 40);
            try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                    BlockRing ring = new BlockRing(allocator, 1 << 20)) {
                BlockWriter writer = new BlockWriter(ring, 0, MOST_BYTES, () -> {});
                SourceContext context =
                        new SourceContext(
                                SourceConfig.DEFAULT,
                                List.of(writer),
                                allocator,
                                new Account(),
                                Outlet.UNHELD);
                try (CaptureSource source =
                        new CaptureSource(List.of(SourceSpec.pcap("node", capture)), context)) {
                    while (source.step()) {}
                }
                ring.read((at, length) -> seed(at, length), 64);
            }
        }
        fuzz(FuzzBlocks.class);
    }

    private void seed(long at, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = Memory.getByte(at + i);
        }
        try {
            seed(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fuzz(Class<?> target) throws Exception {
        assertTrue(seeds > 0, "no seeds");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path"), JAZZER));
        command.add("--target_class=" + target.getName());
        command.add("--instrumentation_includes=io.weir.ingest.**:io.weir.operators.gpv.**");
        command.add("--reproducer_path=" + folder);
        command.add("-max_total_time=" + Long.getLong("weir.fuzz.seconds", 4));
        command.addAll(List.of("-seed=1", "-max_len=" + MOST_BYTES, "-timeout=25"));
        command.add("-artifact_prefix=" + folder + "/");
        command.add(folder.resolve("corpus").toString());
        Path log = folder.resolve("log");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            int code = process.waitFor();
            String told = Files.readString(log);
            assertEquals(0, code, told);
            assertTrue(told.contains("Done "), told);
        } finally {
            process.destroyForcibly();
        }
    }
}
