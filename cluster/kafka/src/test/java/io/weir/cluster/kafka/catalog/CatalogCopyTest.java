package io.weir.cluster.kafka.catalog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was saved is read, and nothing else, whatever has become of the file. */
final class CatalogCopyTest {
    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 5);
    private final Random random = new Random(seed);

    private CatalogCopy.Kept kept() {
        List<Planning.Entry> entries = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            byte[] value = new byte[random.nextInt(300)];
            random.nextBytes(value);
            entries.add(new Planning.Entry("q" + i, random.nextInt(1_000), value));
        }
        return new CatalogCopy.Kept(random.nextInt(1_000), entries);
    }

    private static void assertSame(CatalogCopy.Kept expected, CatalogCopy.Kept is) {
        assertEquals(expected.offset(), is.offset());
        assertEquals(expected.entries().size(), is.entries().size());
        for (int i = 0; i < is.entries().size(); i++) {
            assertEquals(expected.entries().get(i).name(), is.entries().get(i).name());
            assertEquals(expected.entries().get(i).offset(), is.entries().get(i).offset());
            assertArrayEquals(expected.entries().get(i).value(), is.entries().get(i).value());
        }
    }

    @Test
    void whatWasSavedIsRead() throws Exception {
        assertTrue(new CatalogCopy(directory).read().isEmpty());
        for (int round = 0; round < 50; round++) {
            CatalogCopy.Kept kept = kept();
            new CatalogCopy(directory).save(kept);
            CatalogCopy copy = new CatalogCopy(directory);
            assertTrue(copy.lacks(kept));
            assertSame(kept, copy.read().orElseThrow());
            assertEquals(false, copy.lacks(kept));
        }
    }

    @Test
    void peopleCanReadItsVersion() throws Exception {
        new CatalogCopy(directory).save(new CatalogCopy.Kept(42, List.of()));
        String text =
                new String(
                        Files.readAllBytes(directory.resolve("catalog")),
                        StandardCharsets.ISO_8859_1);
        assertTrue(text.startsWith("weir catalog 1 version 42 records 0 crc32c "), text);
    }

    @Test
    void whatIsNotWholeIsNone() throws Exception {
        Path file = directory.resolve("catalog");
        for (int round = 0; round < 500; round++) {
            CatalogCopy.Kept kept = kept();
            new CatalogCopy(directory).save(kept);
            byte[] bytes = Files.readAllBytes(file);
            byte[] broken = Arrays.copyOf(bytes, bytes.length);
            if (random.nextBoolean()) {
                broken = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            } else {
                broken[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, broken);
            Optional<CatalogCopy.Kept> read = new CatalogCopy(directory).read();
            assertTrue(read.isEmpty(), "round " + round + ", seed " + seed);
        }
    }
}
