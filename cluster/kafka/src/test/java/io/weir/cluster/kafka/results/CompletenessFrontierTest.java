package io.weir.cluster.kafka.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.format.RowFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Writers of a query's rows, each somewhere in the windows: what is selected is a window of which
 * all rows are there that there will ever be, and no such one is after it.
 */
final class CompletenessFrontierTest {
    private static final long WINDOW_NS = 1_000_000_000L;
    private static final int WINDOWS = 12;
    private static final int ROUNDS = 2_000;

    private final long seed = Long.getLong("weir.seed", 11);
    private final Random random = new Random(seed);

    /** A row that a writer makes, and whether it is in Kafka yet. */
    private record Row(Result result, int window, boolean sent) {}

    /** One writer: it has sent all rows of so many windows, and some of the next one. */
    private List<Row> rows(String writer, int whole, boolean atOnce) {
        List<Row> rows = new ArrayList<>();
        for (int window = 1; window <= WINDOWS; window++) {
            int groups = random.nextInt(4);
            int sent = window <= whole ? groups : 0;
            if (window == whole + 1 && !atOnce) {
                sent = random.nextInt(groups + 1);
            }
            for (int group = 0; group < groups; group++) {
                rows.add(row(writer, window, writer + " " + group, group < sent));
            }
        }
        return rows;
    }

    private static Row row(String writer, int window, String key, boolean sent) {
        long endNs = window * WINDOW_NS;
        Result result =
                new Result(
                        0,
                        key,
                        new byte[0],
                        RowFormat.JSON,
                        false,
                        1,
                        writer,
                        OptionalLong.of(endNs - WINDOW_NS),
                        OptionalLong.of(endNs));
        return new Row(result, window, sent);
    }

    private void check(List<Row> rows, CompletenessFrontier whole, int passed) {
        List<Row> shuffled = new ArrayList<>(rows);
        Collections.shuffle(shuffled, random);
        List<Result> there = shuffled.stream().filter(Row::sent).map(Row::result).toList();
        int last =
                IntStream.rangeClosed(1, passed)
                        .filter(w -> rows.stream().anyMatch(row -> row.window() == w))
                        .max()
                        .orElse(0);
        List<Result> expected =
                rows.stream().filter(row -> row.window() == last).map(Row::result).toList();
        assertEquals(sorted(expected), sorted(whole.last(there)), "-Dweir.seed=" + seed);
    }

    private static List<String> sorted(List<Result> rows) {
        return rows.stream()
                .sorted(Comparator.comparing(Result::key))
                .map(row -> row.windowEndNs() + " " + row.key())
                .toList();
    }

    @Test
    void rowsOfWorkersAreWaitedForAsFarAsTheSlowestIs() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Row> rows = new ArrayList<>();
            int slowest = WINDOWS;
            for (int worker = 0; worker < 1 + random.nextInt(3); worker++) {
                int whole = random.nextInt(WINDOWS);
                slowest = Math.min(slowest, whole);
                rows.addAll(rows("w" + worker, whole, false));
            }
            // How far a merge is has nothing to do with them.
            long mergeNs = random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            check(
                    rows,
                    new CompletenessFrontier(slowest * WINDOW_NS + random.nextInt(9), mergeNs),
                    slowest);
        }
    }

    @Test
    void rowsOfShardsAreWaitedForAsFarAsTheSlowestIs() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Row> rows = new ArrayList<>();
            int slowest = WINDOWS;
            for (int shard = 0; shard < 4; shard++) {
                int whole = random.nextInt(WINDOWS);
                slowest = Math.min(slowest, whole);
                rows.addAll(rows("merge shard-" + shard, whole, false));
            }
            long workersNs = random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            check(rows, new CompletenessFrontier(workersNs, slowest * WINDOW_NS), slowest);
        }
    }

    /** After the shards one makes all rows of a window, in one transaction. */
    @Test
    void rowsOfTheSecondStepAreWholeWhenTheyAreThere() {
        for (int round = 0; round < ROUNDS; round++) {
            int whole = random.nextInt(WINDOWS);
            List<Row> rows = rows("merge second", whole, true);
            check(rows, new CompletenessFrontier(Long.MIN_VALUE, Long.MIN_VALUE), whole);
        }
    }

    @Test
    void whoIsNotWaitedForIsTakenAsItIs() {
        List<Row> rows = rows("w", WINDOWS / 2, false);
        CompletenessFrontier whole = new CompletenessFrontier(Long.MAX_VALUE, Long.MAX_VALUE);
        List<Result> there = rows.stream().filter(Row::sent).map(Row::result).toList();
        assertEquals(CompletenessFrontier.newest(there), whole.last(there));
        assertTrue(new CompletenessFrontier(Long.MIN_VALUE, Long.MIN_VALUE).last(there).isEmpty());
    }
}
