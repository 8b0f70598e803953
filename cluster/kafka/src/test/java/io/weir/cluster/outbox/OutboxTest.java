package io.weir.cluster.outbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.Patience;
import io.weir.operators.account.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
    @TempDir private Path directory;
    private final Stage stage = new Stage("outbox");

    /** Written, read, released and opened again at random: each number once, in order. */
    @Test
    void keepsItsEntriesInOrderAcrossLives() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        long read = 0;
        String id = null;
        for (int life = 0; life < 4; life++) {
            try (Outbox outbox =
                            new Outbox(directory, Outbox.LEAST_BYTES, stage, Patience.endless());
                    OutboxReader reader = outbox.reader()) {
                id = id == null ? outbox.id() : id;
                assertEquals(id, outbox.id());
                reader.seek(read);
                for (int step = 0; step < 300; step++) {
                    for (int n = random.nextInt(8); n > 0; n--) {
                        outbox.append(entry(outbox.next(), random.nextInt(6_000)));
                    }
                    outbox.flush();
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
    void beyondItsBoundTheOldestGo() throws Exception {
        int entries = 4_000;
        int bytes = 10_000;
        try (Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage, Patience.endless());
                OutboxReader reader = outbox.reader()) {
            for (int i = 0; i < entries; i++) {
                outbox.append(entry(i, bytes));
            }
            outbox.flush();
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
        long onDisk = onDisk(directory);
        assertTrue(onDisk < 3 * Outbox.LEAST_BYTES, onDisk + " bytes on disk");
    }

    /** A file of what was sent goes without a word. */
    @Test
    void theAlarmIsForWhatWasNotSent(@TempDir Path home) throws Exception {
        int perFile = 2;
        int files = 8;
        int bytes = (int) Outbox.LEAST_BYTES / files * 2 / 5;
        AtomicInteger alarms = new AtomicInteger();
        try (Outbox outbox = new Outbox(home, Outbox.LEAST_BYTES, stage, Patience.endless());
                OutboxReader reader = outbox.reader()) {
            outbox.onTrouble(trouble -> alarms.incrementAndGet());
            append(outbox, perFile, bytes);
            outbox.release(perFile);
            append(outbox, perFile * (files - 1) + 1, bytes);
            reader.seek(0);
            assertEquals(perFile, reader.next().orElseThrow().number());
            assertEquals(0, alarms.get());
            append(outbox, 2 * perFile, bytes);
            assertEquals(1, alarms.get());
            reader.seek(0);
            assertEquals(3 * perFile, reader.next().orElseThrow().number());
        }
    }

    /** Files have holes: their lengths say nothing of it. */
    private static long onDisk(Path directory) throws IOException {
        Process du = new ProcessBuilder("du", "-sk", directory.toString()).start();
        try (var said = du.inputReader()) {
            return Long.parseLong(said.readLine().split("\\s+")[0]) << 10;
        }
    }

    /** Wherever in a file they come to lie. */
    @Test
    void theLongestEntriesAreKept(@TempDir Path home) throws Exception {
        long seed = Long.getLong("weir.seed", 2);
        Random random = new Random(seed);
        try (Outbox outbox = new Outbox(home, 4 * Outbox.LEAST_BYTES, stage, Patience.endless());
                OutboxReader reader = outbox.reader()) {
            for (int i = 0; i < 60; i++) {
                int bytes =
                        random.nextBoolean() ? Outbox.MOST_ENTRY_BYTES : random.nextInt(300_000);
                outbox.append(entry(i, Math.max(0, bytes - Long.BYTES)));
                outbox.flush();
                check(i, reader.next().orElseThrow(), seed);
                outbox.release(i);
            }
        }
    }

    private static void append(Outbox outbox, int entries, int bytes) throws Exception {
        for (int i = 0; i < entries; i++) {
            outbox.append(entry(outbox.next(), bytes));
        }
        outbox.flush();
    }

    @Test
    void anEntryThatIsTooLongIsCounted() {
        try (Outbox outbox = new Outbox(directory, Outbox.LEAST_BYTES, stage, Patience.endless())) {
            outbox.append(new byte[Outbox.MOST_ENTRY_BYTES + 1]);
            assertEquals(1, stage.lost("row_too_large").value());
            assertEquals(0, outbox.next());
        }
    }

    /** A process that is killed in the midst of what belongs together leaves none of it. */
    @Test
    void whatIsTornIsNotRead(@TempDir Path home) throws Exception {
        Stage stage = new Stage("torn");
        try (Outbox outbox = new Outbox(home, Outbox.LEAST_BYTES, stage, Patience.endless());
                OutboxReader reader = outbox.reader()) {
            outbox.append(new byte[] {0});
            outbox.append(new byte[] {1}, true);
            outbox.append(new byte[] {2}, true);
            outbox.flush();
            assertEquals(List.of(0L), numbers(reader)); // the others are not whole
            outbox.append(new byte[] {3}, false);
            outbox.flush();
            assertEquals(List.of(1L, 2L, 3L), numbers(reader));
            outbox.append(new byte[] {4}, true);
            outbox.append(new byte[] {5}, true);
        }
        for (long life = 0; life < 2; life++) {
            try (Outbox outbox = new Outbox(home, Outbox.LEAST_BYTES, stage, Patience.endless());
                    OutboxReader reader = outbox.reader()) {
                assertEquals(6 + life, outbox.opened());
                assertEquals(2 + life, outbox.waiting(2)); // it keeps nobody waiting
                outbox.append(new byte[] {6});
                outbox.flush();
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
