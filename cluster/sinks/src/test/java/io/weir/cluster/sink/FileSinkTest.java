package io.weir.cluster.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    private static final Query QUERY = Batches.query("a b", Batches.column("n", Kind.BIGINT));
    private static final Query OTHER = Batches.query("other", Batches.column("n", Kind.BIGINT));

    @TempDir private Path folder;

    private final NativeAllocator allocator = new NativeAllocator(1 << 24);
    private final Account account = new Account();
    private Instant now = Instant.EPOCH;

    @AfterEach
    void close() {
        allocator.close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    private FileSink sink(Format format, long bytes, int keep) {
        FileOptions options = new FileOptions(format, bytes, Duration.ofMinutes(1), keep);
        return new FileSink(folder, options, () -> now, account.stage("rows"), false);
    }

    private void rows(FileSink sink, Query query, long from, int count) {
        Object[][] rows =
                LongStream.range(from, from + count)
                        .mapToObj(n -> new Object[] {n})
                        .toArray(Object[][]::new);
        try (RowBatch batch = Batches.of(query, 0, 1, allocator, rows)) {
            sink.rows(batch);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void filesFollowOneAnotherByTimeAndGoOnAfterARestart() throws Exception {
        for (int run = 0; run < 2; run++) {
            try (FileSink sink = sink(Format.CSV, 1 << 20, 0)) {
                rows(sink, QUERY, 0, 2);
                rows(sink, OTHER, 7, 1);
                now = now.plusSeconds(59);
                rows(sink, QUERY, 2, 1);
                now = now.plusSeconds(1);
                rows(sink, QUERY, 3, 1);
                assertTrue(names().contains("a_b-0000000" + (2 * run + 2) + ".csv.part"));
                sink.end();
            }
        }
        assertEquals(
                List.of(
                        "a_b-00000001.csv",
                        "a_b-00000002.csv",
                        "a_b-00000003.csv",
                        "a_b-00000004.csv",
                        "other-00000001.csv",
                        "other-00000002.csv"),
                names());
        assertEquals("n\n0\n1\n2\n", text("a_b-00000001.csv"));
        assertEquals("n\n3\n", text("a_b-00000004.csv"));
    }

    @Test
    void filesFollowOneAnotherBySizeAndTheOldestGo() throws Exception {
        try (FileSink sink = sink(Format.JSON, 100_000, 2)) {
            for (int batch = 0; batch < 50; batch++) {
                rows(sink, QUERY, batch * 1000L, 1000);
            }
            sink.end();
        }
        List<String> names = names();
        assertEquals(2, names.size(), names.toString());
        assertTrue(text(names.get(1)).endsWith("{\"query\":\"a b\",\"n\":49999}\n"));
        assertTrue(Files.size(folder.resolve(names.get(0))) >= 100_000);
    }

    @Test
    void withoutAnEndItStaysAPart() throws Exception {
        try (FileSink sink = sink(Format.JSON, 1 << 20, 0)) {
            rows(sink, QUERY, 0, 1);
        }
        assertEquals(List.of("a_b-00000001.json.part"), names());
        assertEquals("{\"query\":\"a b\",\"n\":0}\n", text("a_b-00000001.json.part"));
        try (FileSink sink = sink(Format.JSON, 1 << 20, 0)) {
            rows(sink, QUERY, 1, 1);
            sink.end();
        }
        assertEquals(List.of("a_b-00000001.json.part", "a_b-00000002.json"), names());
    }

    /**
     * A process that is killed at any moment, again and again: what it had written since it last
     * told how far it was comes again, and whole files have each row once.
     */
    @Test
    void numberedRowsAreOnceInWholeFilesHoweverProcessesEnd() throws Exception {
        long seed = Long.getLong("weir.seed", 4);
        Random random = new Random(seed);
        String about = "-Dweir.seed=" + seed;
        long committed = 0;
        long told = 0;
        for (int life = 0; life < 60; life++) {
            FileSink sink =
                    new FileSink(
                            folder,
                            new FileOptions(Format.CSV, 200, Duration.ofMinutes(1), 0),
                            () -> now,
                            account.stage("rows"),
                            true);
            assertEquals(told, sink.next("a b"), about);
            long from = committed;
            boolean killed = false;
            for (int turns = random.nextInt(6); turns > 0; turns--) {
                int count = 1 + random.nextInt(20);
                long fresh = Math.max(from, sink.next("a b"));
                from += count;
                if (fresh < from) {
                    rows(sink, QUERY, fresh, (int) (from - fresh));
                }
                now = now.plusSeconds(random.nextInt(20));
                killed = turns == 1 && random.nextBoolean();
                if (killed) {
                    break; // before it could tell
                }
                sink.reached("a b", from);
                told = Math.max(told, fresh < from ? from : told);
                if (turns > 1 || random.nextBoolean()) {
                    committed = from;
                }
            }
            if (!killed && random.nextInt(4) == 0) {
                sink.dropped("a b"); // another has the query for a while
            }
            sink.close();
        }
        try (FileSink last =
                new FileSink(folder, FileOptions.DEFAULT, () -> now, account.stage("rows"), true)) {
            told = last.next("a b");
        }
        List<String> rows = new ArrayList<>();
        for (String name : names()) {
            if (name.endsWith(".csv")) {
                List<String> lines = Files.readAllLines(folder.resolve(name));
                assertEquals("n", lines.get(0), about);
                rows.addAll(lines.subList(1, lines.size()));
            }
        }
        List<String> expected = LongStream.range(0, rows.size()).mapToObj(Long::toString).toList();
        assertEquals(expected, rows, about);
        assertTrue(told - rows.size() < 100 && rows.size() > 200, about + " " + rows.size());
    }

    @Test
    void aFolderThatIsNoneOrGoesIsAnErrorAndRowsAreCounted() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertThrows(
                WeirException.class,
                () ->
                        new FileSink(
                                file,
                                FileOptions.DEFAULT,
                                () -> now,
                                account.stage("none"),
                                false));
        Path gone = Files.createDirectory(folder.resolve("gone"));
        try (FileSink sink =
                new FileSink(gone, FileOptions.DEFAULT, () -> now, account.stage("gone"), false)) {
            Files.delete(gone);
            assertThrows(WeirException.class, () -> rows(sink, QUERY, 0, 3));
        }
        assertEquals(3, account.snapshot().get(1).lostInAll());
    }

    @Test
    void liveRowsGoOnAfterATroubleThatIsToldOnce() throws Exception {
        Path gone = folder.resolve("gone");
        FileSink files =
                new FileSink(gone, FileOptions.DEFAULT, () -> now, account.stage("gone"), false);
        try (LogLines log = LogLines.after("gone: ");
                TolerantSink sink = new TolerantSink("gone", files);
                RowBatch batch =
                        Batches.of(QUERY, 0, 1, allocator, new Object[] {1L}, new Object[] {2L})) {
            Files.delete(gone);
            sink.rows(batch);
            sink.rows(batch);
            assertEquals(1, log.texts().size(), log.texts().toString());
            Files.createDirectory(gone);
            sink.rows(batch);
            sink.dropped("a b");
            sink.rows(batch);
            sink.end();
        }
        assertEquals(4, account.snapshot().get(0).lostInAll());
        assertEquals(4, account.snapshot().get(0).processed());
        assertEquals(2, Files.readAllLines(gone.resolve("a_b-00000001.json")).size());
        assertEquals(2, Files.readAllLines(gone.resolve("a_b-00000002.json")).size());
    }
}
