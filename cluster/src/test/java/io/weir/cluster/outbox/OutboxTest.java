package io.weir.cluster.outbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
    @TempDir private Path directory;
    private final Stage stage = new Stage("outbox");

    /** Written, read, released and opened again at random: each number once, in order. */
    @Test
    void keepsItsEntriesInOrderAcrossLives() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        long read = 0;
        String id = null;
        for (int life = 0; life < 4; life++) {
            try (Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage);
                    OutboxReader reader = outbox.reader()) {
                id = id == null ? outbox.id() : id;
                assertEquals(id, outbox.id());
                reader.seek(read);
                for (int step = 0; step < 300; step++) {
                    for (int n = random.nextInt(8); n > 0; n--) {
                        outbox.append(entry(outbox.next(), random.nextInt(6_000)));
                    }
                    for (int n = random.nextInt(9); n > 0; n--) {
                        Optional<OutboxReader.Entry> next = reader.next();
                        if (next.isPresent()) {
                            check(read++, next.get(), seed);
                        }
                    }
                    outbox.release(read);
                }
                reader.seek(read);
                for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                    check(read++, next.get(), seed);
                }
                assertEquals(outbox.next(), read, "seed " + seed);
            }
        }
        assertEquals(read, stage.offered().value());
    }

    private static byte[] entry(long number, int length) {
        return ByteBuffer.allocate(8 + length).putLong(number * 31).array();
    }

    private static void check(long number, OutboxReader.Entry entry, long seed) {
        assertEquals(number, entry.number(), "seed " + seed);
        assertArrayEquals(entry(number, entry.bytes().length - 8), entry.bytes(), "seed " + seed);
    }

    /** Nobody reads: the oldest go, the disk is not filled, and the gap is the number lost. */
    @Test
    void beyondItsBoundTheOldestGo() throws IOException {
        int entries = 4_000;
        int bytes = 10_000;
        try (Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage);
                OutboxReader reader = outbox.reader()) {
            for (int i = 0; i < entries; i++) {
                outbox.append(entry(i, bytes));
            }
            reader.seek(0);
            long first = reader.next().orElseThrow().number();
            assertNotEquals(0, first);
            long kept = 1;
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                check(first + kept, next.get(), 0);
                kept++;
            }
            assertEquals(entries, first + kept);
            assertTrue(kept * bytes <= Outbox.LEAST_BYTES, kept + " kept");
            assertTrue(kept * bytes > Outbox.LEAST_BYTES / 2, kept + " kept");
        }
        try (Stream<Path> files = Files.list(directory)) {
            long onDisk = files.mapToLong(file -> file.toFile().length()).sum();
            assertTrue(onDisk < 3 * Outbox.LEAST_BYTES, onDisk + " bytes on disk");
        }
    }

    @Test
    void anEntryThatIsTooLongIsCounted() {
        try (Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage)) {
            outbox.append(new byte[Outbox.MOST_ENTRY_BYTES + 1]);
            assertEquals(1, stage.lost("row_too_large").value());
            assertEquals(0, outbox.next());
        }
    }

    /** A process that is killed in the midst of what belongs together leaves none of it. */
    @Test
    void whatIsTornIsNotRead(@TempDir Path home) {
        Stage stage = new Stage("torn");
        try (Outbox outbox = new Outbox(home, Outbox.LEAST_BYTES, stage);
                OutboxReader reader = outbox.reader()) {
            outbox.append(new byte[] {0});
            outbox.append(new byte[] {1}, true);
            outbox.append(new byte[] {2}, true);
            assertEquals(List.of(0L), numbers(reader)); // the others are not whole
            outbox.append(new byte[] {3}, false);
            assertEquals(List.of(1L, 2L, 3L), numbers(reader));
            outbox.append(new byte[] {4}, true);
            outbox.append(new byte[] {5}, true);
        }
        for (long life = 0; life < 2; life++) {
            try (Outbox outbox = new Outbox(home, Outbox.LEAST_BYTES, stage);
                    OutboxReader reader = outbox.reader()) {
                assertEquals(6 + life, outbox.opened());
                outbox.append(new byte[] {6});
                reader.seek(0);
                assertEquals(
                        life == 0 ? List.of(0L, 1L, 2L, 3L, 6L) : List.of(0L, 1L, 2L, 3L, 6L, 7L),
                        numbers(reader));
            }
        }
    }

    private static List<Long> numbers(OutboxReader reader) {
        List<Long> numbers = new ArrayList<>();
        for (var entry = reader.next(); entry.isPresent(); entry = reader.next()) {
            numbers.add(entry.get().number());
        }
        return numbers;
    }
}
