package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.Packing;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockWriter;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pcap:FOLDER} reads the captures of a folder, compressed or not. */
final class CaptureFolderTest {
    private static final int FILES = 400;

    @TempDir private Path folder;

    private List<SourceSpec> sources() {
        return Sources.parse("pcap:" + folder + "?node=tap", "local");
    }

    private static List<String> names(List<SourceSpec> specs) {
        return specs.stream().map(spec -> spec.path().getFileName().toString()).toList();
    }

    @Test
    void itIsItsCapturesByName() throws IOException {
        List<String> captures =
                List.of("a.pcapng", "b.pcap", "c.pcap12", "d.pcap.gz", "e.pcapng.zst", "f.cap.xz");
        List<String> more = List.of("g.pcap3.bz2", "h.PCAP.LZ4");
        List<String> expected = Stream.concat(captures.stream(), more.stream()).toList();
        List<String> others = List.of("notes.txt", "logs.gz", "i.pcap.zip", "j.pcap.gz.part");
        for (String name : Stream.concat(expected.stream(), others.stream()).toList()) {
            Files.createFile(folder.resolve(name));
        }
        List<SourceSpec> specs = sources();
        assertEquals(expected.stream().sorted().toList(), names(specs));
        assertTrue(specs.stream().allMatch(spec -> spec.node().equals("tap")));
        assertEquals(
                List.of(
                        folder
                                + ": 4 files are not read, since their names are not those of captures:"
                                + " i.pcap.zip, j.pcap.gz.part, logs.gz, notes.txt"),
                specs.get(0).notes());
    }

    @Test
    void aCaptureThatIsThereInPlainTooIsReadOnce() throws IOException {
        for (String name : List.of("a.pcap", "a.pcap.gz", "b.pcap.zst")) {
            Files.createFile(folder.resolve(name));
        }
        assertEquals(List.of("a.pcap", "b.pcap.zst"), names(sources()));
        assertEquals(
                List.of(
                        folder
                                + ": 1 file is not read, since the files that they were compressed from"
                                + " are there: a.pcap.gz"),
                sources().get(0).notes());
    }

    /** Only files whose packets are due are open. */
    @Test
    void itMayHaveMoreFilesThanFitInMemory() {
        Random random = new Random(Long.getLong("weir.seed", 1));
        int packets = 0;
        for (int i = 0; i < FILES; i++) {
            Path file =
                    RandomCapture.filling(random, folder, "f" + i + ".pcap", i, 1 + i % 3, 100_000);
            packets += 1 + i % 3;
            if (random.nextBoolean()) {
                Packing.replace(random, file);
            }
        }
        SourceConfig config = CaptureSourceTest.randomConfig(random);
        Account account = new Account();
        long mostBytes = 0;
        try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                Outlet outlet = new Outlet(allocator, 0, 1 << 15)) {
            List<BlockWriter> writers = List.of(outlet.writer);
            long beforeBytes = windowBytes();
            try (CaptureSource source =
                    new CaptureSource(
                            sources(),
                            new SourceContext(
                                    config, writers, allocator, account, Outlet.UNHELD))) {
                while (source.step()) {
                    outlet.readStep();
                    mostBytes = Math.max(mostBytes, windowBytes() - beforeBytes);
                }
            }
            outlet.read();
            assertEquals(packets, account.snapshot().get(0).offered());
            assertTrue(account.isBalanced());
        }
        assertTrue(mostBytes < 16 << 20, mostBytes + " bytes");
    }

    /** The files of all tests of this process are windows in this pool. */
    private static long windowBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
