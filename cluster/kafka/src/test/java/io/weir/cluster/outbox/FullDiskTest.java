package io.weir.cluster.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.disk.DiskFault;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.disk.SmallDisk;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Clock;
import io.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real disks without room: each entry is read once and in order, or counted as lost under its
 * reason, and what appends neither waits nor fails.
 */
@Timeout(120)
class FullDiskTest {
    private static final int CYCLES = 40;
    private static final long MEANWHILE_NS = TimeUnit.SECONDS.toNanos(6);
    private static final long MOST_APPEND_NS = TimeUnit.SECONDS.toNanos(5);

    @TempDir private Path home;
    private final Stage stage = new Stage("outbox");
    private final long seed = Long.getLong("weir.seed", 1);
    private final Random random = new Random(seed);

    /** What was kept, by number: the world. */
    private final TreeMap<Long, Long> kept = new TreeMap<>();

    private final List<Long> read = new ArrayList<>();
    private long made;
    private long sent;

    private static Path outboxOf(SmallDisk disk) {
        return disk.directory().resolve("outbox");
    }

    private Outbox open(SmallDisk disk) {
        return new Outbox(
                outboxOf(disk), Outbox.LEAST_BYTES, stage, Patience.ofLivePackets(Clock.SYSTEM));
    }

    @Test
    void filledAndFreedAtRandom() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 12)) {
            cycles(disk);
        }
    }

    @Test
    void filledAndFreedAtRandomWhereBlocksComeLate() throws Exception {
        try (SmallDisk disk = SmallDisk.ext4(home, 14)) {
            cycles(disk);
        }
    }

    /** Others take room and give it back at any time, also between two stores of an entry. */
    @Test
    void filledAndFreedWhileEntriesAreWritten() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 12)) {
            filledMeanwhile(disk);
        }
    }

    @Test
    void filledAndFreedWhileEntriesAreWrittenWhereBlocksComeLate() throws Exception {
        try (SmallDisk disk = SmallDisk.ext4(home, 14)) {
            filledMeanwhile(disk);
        }
    }

    private void filledMeanwhile(SmallDisk disk) throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        long fillSeed = random.nextLong();
        FutureTask<Integer> others =
                new FutureTask<>(
                        () -> {
                            Random when = new Random(fillSeed);
                            int times = 0;
                            for (; goesOn.get(); times++) {
                                disk.fill(when.nextBoolean() ? 0 : when.nextInt(1 << 20));
                                Thread.sleep(when.nextInt(300));
                                disk.free();
                                Thread.sleep(when.nextInt(200));
                            }
                            return times;
                        });
        new Thread(others, "others").start();
        Outbox outbox = open(disk);
        try (outbox;
                OutboxReader reader = outbox.reader()) {
            OutboxNote note = outbox.note("note");
            long beganNs = System.nanoTime();
            while (System.nanoTime() - beganNs < MEANWHILE_NS) {
                for (int n = random.nextInt(20); n > 0; n--) {
                    append(outbox, random.nextInt(6_000));
                }
                note.write(new byte[random.nextInt(300)], outbox.next() - 1);
                Thread.sleep(random.nextInt(5));
                readAll(outbox, reader);
            }
            goesOn.set(false);
            assertTrue(others.get(30, TimeUnit.SECONDS) > 5, "seed " + seed);
            awaitRoom(outbox);
            readAll(outbox, reader);
        } finally {
            goesOn.set(false);
        }
        assertSums();
    }

    private void cycles(SmallDisk disk) throws Exception {
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            if (random.nextInt(3) == 0) {
                disk.fill(random.nextBoolean() ? 0 : random.nextInt(1 << 20));
            }
            live(disk);
        }
        disk.free();
        try (Outbox outbox = open(disk);
                OutboxReader reader = outbox.reader()) {
            awaitRoom(outbox);
            reader.seek(sent);
            readAll(outbox, reader);
        }
        assertSums();
    }

    private void assertSums() {
        long lost = stage.snapshot().lostInAll();
        assertEquals(made, kept.size() + lost, "seed " + seed);
        assertTrue(stage.lost("disk_full").value() > 0, "seed " + seed);
        assertEquals(0, stage.lost("disk_failed").value(), "seed " + seed);
        assertEquals(List.copyOf(kept.values()), read, "seed " + seed);
    }

    /** One process, which ends in order, whatever its disk is like. */
    private void live(SmallDisk disk) throws Exception {
        Outbox outbox = open(disk);
        assertEquals(kept.isEmpty() ? 0 : kept.lastKey() + 1, outbox.opened(), "seed " + seed);
        try (outbox;
                OutboxReader reader = outbox.reader()) {
            OutboxNote note = outbox.note("note");
            reader.seek(sent);
            for (int burst = random.nextInt(5); burst >= 0; burst--) {
                for (int n = random.nextInt(100); n > 0; n--) {
                    append(outbox, random.nextInt(6_000));
                }
                note.write(new byte[random.nextInt(300)], outbox.next() - 1);
                switch (random.nextInt(6)) {
                    case 0 -> disk.fill(0);
                    case 1, 2 -> disk.free();
                    default -> outbox.flush();
                }
                if (random.nextBoolean()) {
                    readAll(outbox, reader);
                }
            }
        } finally {
            kept.tailMap(outbox.next(), true).clear(); // given up, and counted
        }
    }

    private void append(Outbox outbox, int bytes) {
        long number = outbox.next();
        long beganNs = System.nanoTime();
        byte[] entry = ByteBuffer.allocate(Long.BYTES + bytes + 1).putLong(made).array();
        entry[entry.length - 1] = 1; // its end can be seen in a file
        outbox.append(entry);
        assertTrue(System.nanoTime() - beganNs < MOST_APPEND_NS, "seed " + seed);
        if (outbox.next() > number) {
            kept.put(number, made);
        }
        made++;
    }

    private void readAll(Outbox outbox, OutboxReader reader) {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            assertEquals(read.size(), next.get().number(), "seed " + seed);
            read.add(ByteBuffer.wrap(next.get().bytes()).getLong());
        }
        sent = read.size();
        outbox.release(sent);
    }

    private void awaitRoom(Outbox outbox) throws Exception {
        Await.until(
                Duration.ofSeconds(20),
                () -> outbox.fault().isEmpty(),
                () -> "it does not recover, seed " + seed);
        outbox.flush();
    }

    @Test
    void fullBeforeItBegins() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 4)) {
            disk.fill(0);
            beginsWithout(disk, DiskFault.FULL, disk::free);
        }
    }

    @Test
    void readOnlyBeforeItBegins() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 4)) {
            disk.readOnly(true);
            beginsWithout(disk, DiskFault.READ_ONLY, () -> disk.readOnly(false));
        }
    }

    /** With an outbox that a process before has left, too. */
    @Test
    void readOnlyWithEntriesOfBefore() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 4)) {
            try (Outbox outbox = open(disk)) {
                outbox.note("note").write(new byte[] {7}, OutboxNote.ALWAYS);
                append(outbox, 100);
            }
            disk.readOnly(true);
            beginsWithout(disk, DiskFault.READ_ONLY, () -> disk.readOnly(false));
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private void beginsWithout(SmallDisk disk, DiskFault fault, Step over) throws Exception {
        long before = made;
        List<OutboxTrouble> told = new ArrayList<>();
        try (Outbox outbox = open(disk);
                OutboxReader reader = outbox.reader()) {
            outbox.onTrouble(told::add);
            OutboxNote note = outbox.note("note");
            assertEquals(Optional.of(fault), outbox.fault());
            for (int i = 0; i < 10; i++) {
                append(outbox, 100);
            }
            assertEquals(10, stage.lost(fault.reason()).value());
            readAll(outbox, reader);
            assertEquals(before, read.size()); // what is there is sent
            over.run();
            awaitRoom(outbox);
            for (int i = 0; i < 10; i++) {
                append(outbox, 100);
            }
            assertTrue(note.write(new byte[] {8}, outbox.next() - 1));
            outbox.flush();
            readAll(outbox, reader);
            assertEquals(before + 10, read.size());
            assertEquals(
                    List.of(OutboxTrouble.of(Optional.of(fault)), OutboxTrouble.DISK_OVER), told);
        }
        try (Outbox outbox = open(disk)) {
            assertEquals(before + 10, outbox.opened());
            assertEquals(8, outbox.note("note").found().orElseThrow()[0]);
        }
    }

    /**
     * What a disk holds that is smaller than the bound is kept, and it goes on once that is sent.
     */
    @Test
    void smallerThanTheBound() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 3);
                Outbox outbox = open(disk);
                OutboxReader reader = outbox.reader()) {
            for (int cycle = 0; cycle < 3; cycle++) {
                long lost = stage.lost("disk_full").value();
                for (int i = 0; i < 1_000; i++) {
                    append(outbox, 8_000);
                    outbox.flush();
                }
                assertTrue(stage.lost("disk_full").value() > lost);
                assertFalse(outbox.fault().isEmpty());
                readAll(outbox, reader);
                awaitRoom(outbox);
                readAll(outbox, reader);
            }
            assertEquals(List.copyOf(kept.values()), read);
            assertTrue(read.size() > 3 * 200);
            assertEquals(made, read.size() + stage.lost("disk_full").value());
        }
    }

    /**
     * Chronicle touches no page that was not written by a call: of each of its files the disk has
     * as many bytes as were asked for, which is always a multiple of 64 KiB. So many entries take a
     * second index page.
     */
    @Test
    void whatIsTouchedWasAskedFor() throws Exception {
        int entries = 600_000;
        int length = 4;
        long seen = 0;
        try (SmallDisk disk = SmallDisk.tmpfs(home, 200)) {
            Path directory = outboxOf(disk);
            try (Outbox outbox = new Outbox(directory, 256 << 20, stage, Patience.endless());
                    OutboxReader reader = outbox.reader()) {
                for (int i = 0; i < entries; i++) {
                    outbox.append(new byte[length]);
                }
                outbox.append(new byte[900_000]);
                outbox.flush();
                while (reader.next().isPresent()) {
                    seen++;
                }
            }
            assertEquals(entries + 1, seen);
            try (Outbox outbox = new Outbox(directory, 256 << 20, stage, Patience.endless())) {
                outbox.append(new byte[length]); // the file before gets its end
            }
            for (Path file : SmallDisk.files(directory, ".cq4", ".cq4t")) {
                long bytes = SmallDisk.takenBytes(file);
                assertTrue(bytes > 0 && bytes % (64 << 10) == 0, file + " takes " + bytes);
            }
        }
    }

    /** A disk that turns out not to have a page fails an entry, which is written again. */
    @Test
    void pagesThatAreGone() throws Exception {
        try (SmallDisk disk = SmallDisk.tmpfs(home, 20);
                Outbox outbox = open(disk);
                OutboxReader reader = outbox.reader()) {
            List<OutboxTrouble> told = new ArrayList<>();
            outbox.onTrouble(told::add);
            for (int cycle = 0; cycle < 3; cycle++) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    append(outbox, 5_000);
                }
                outbox.flush();
                List<Path> files = SmallDisk.files(outboxOf(disk), ".cq4");
                cutBehindEntries(files.get(files.size() - 1));
                append(outbox, 9_000);
                awaitRoom(outbox);
                append(outbox, 9_000);
                outbox.flush();
                if (random.nextBoolean()) {
                    readAll(outbox, reader);
                }
            }
            readAll(outbox, reader);
            assertTrue(told.contains(OutboxTrouble.DISK_FAILED), told.toString());
            assertEquals(OutboxTrouble.DISK_OVER, told.get(told.size() - 1));
        }
        assertEquals(made, kept.size() + stage.snapshot().lostInAll(), "seed " + seed);
        assertEquals(List.copyOf(kept.values()), read, "seed " + seed);
    }

    /** The page of the last entry stays. */
    private static void cutBehindEntries(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
            cut.truncate((end + 4_095 + Integer.BYTES) / 4_096 * 4_096);
        }
    }
}
