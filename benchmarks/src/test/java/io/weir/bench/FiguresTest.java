package io.weir.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresTest {
    @TempDir private Path directory;

    @Test
    void thePageHasTheNewestResults() throws Exception {
        Optional<Results> newest = Results.newest(Path.of("results"));
        assertTrue(newest.isPresent(), "no results file is committed");
        String page = Files.readString(Path.of("FIGURES.md"));
        assertEquals(
                FiguresTable.of(newest.get()),
                FiguresTable.in(page),
                "./weir bench --figures brings it up to date");
    }

    @Test
    void thePageHasTheNewestResultsOfTheWire() throws Exception {
        Results newest = Results.newest(Path.of("results/wire")).orElseThrow();
        String page = Files.readString(Path.of("FIGURES.md"));
        assertEquals(
                WireTable.of(newest),
                WireTable.in(page),
                "./weir bench --figures brings it up to date");
        assertTrue(newest.rows().stream().allMatch(row -> row.get("hash_ok").equals(true)));
    }

    @Test
    void aLaterRunOfTheSameCommitReplacesWhatItMeasured() throws Exception {
        Path file = directory.resolve("2026-01-01-abc.json");
        results("abc", "07:00").write(file);
        Results later = results("abc", "08:00");
        later.rows().clear();
        later.add(List.of(row("ddos", 2.0), row("port_scan", 3.0)));
        later.over(file).write(file);
        Results read = Results.newest(directory).orElseThrow();
        assertEquals("08:00", read.text("time"));
        assertEquals(
                List.of(row("ddos", 2.0), row("heavy_hitter", 1.0), row("port_scan", 3.0)),
                read.rows());
        assertEquals(2, results("def", "09:00").over(file).rows().size());
    }

    private static Results results(String commit, String time) {
        return new Results(
                Map.of("commit", commit, "time", time),
                List.of(row("ddos", 1.0), row("heavy_hitter", 1.0)));
    }

    private static Map<String, Object> row(String work, double mpps) {
        return Map.of("work", work, "weir_mpps", mpps);
    }

    @Test
    void figuresStandBetweenTheMarkersOnly() throws Exception {
        String page = Files.readString(Path.of("FIGURES.md"));
        Path copy = directory.resolve("FIGURES.md");
        Files.writeString(copy, page);
        Results results = results("abc", "07:00");
        FiguresTable.write(results, copy);
        String written = Files.readString(copy);
        assertEquals(FiguresTable.of(results), FiguresTable.in(written));
        assertEquals(
                page.replace(FiguresTable.in(page), ""),
                written.replace(FiguresTable.in(written), ""));
        assertTrue(FiguresTable.in(written).contains("| ddos |  |  | 1.0 |"));
        assertThrows(IllegalStateException.class, () -> FiguresTable.in("no markers"));
    }
}
