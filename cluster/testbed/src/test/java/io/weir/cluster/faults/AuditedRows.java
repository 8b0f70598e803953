package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.cluster.demo.Processes;
import io.weir.cluster.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The rows that two workers and the merge should have, for tests of the audit. */
abstract class AuditedRows {
    static final long SEED = Long.getLong("weir.seed", 11);
    static final long SECOND = Queries.WINDOW_NS;
    static final long BEGIN = 1_800_000_000L * SECOND + 345_678_901L;
    static final long MANY = 1_000_000;
    static final long MIX = 0x9E3779B97F4A7C15L;
    static final long HORIZON = Queries.endNs(BEGIN) + 20 * SECOND;

    @TempDir Path directory;
    final Random random = new Random(SEED);
    Frames frames;
    Life first;
    Life second;

    /** End of the window that lacks the row that may wake. */
    long lostNs;

    /** A row as a query would make it. */
    record Row(
            String query,
            String node,
            long endNs,
            long flow,
            long packets,
            long bytes,
            double completeness,
            long missing) {
        Row with(long otherPackets) {
            return new Row(query, node, endNs, flow, otherPackets, bytes, completeness, missing);
        }

        /** With one packet, of a window that says so. */
        Row lacking(double complete, long packetsMissing) {
            return new Row(query, node, endNs, flow, 1, 1, complete, packetsMissing);
        }

        /** With its packets, of a window that says that some are missing. */
        Row saying(long packetsMissing) {
            return new Row(query, node, endNs, flow, packets, bytes, completeness, packetsMissing);
        }

        boolean isOf(String name, long windowEndNs) {
            return query.equals(name) && endNs == windowEndNs;
        }
    }

    @BeforeEach
    void lives() {
        Path capture = Path.of("..", "..", "demo", "capture.pcap");
        frames = new Frames(Excerpt.of(capture, directory.resolve("excerpt.pcap")));
        first = life("Node1", BEGIN);
        second = life("Node2", BEGIN + SECOND / 3);
    }

    static Life life(String node, long beginNs) {
        Life life = new Life(node, Path.of("none"), new Processes.Started(node, null, null));
        life.began(beginNs);
        return life;
    }

    List<Row> right() {
        List<Row> rows = new ArrayList<>();
        Map<Long, Window> both = new TreeMap<>();
        for (Life life : List.of(first, second)) {
            Map<Long, Window> windows = new TreeMap<>();
            frames.each(
                    life.beginNs(),
                    life.beginNs(),
                    HORIZON,
                    life.limit(),
                    (ts, flow, bytes) -> {
                        window(windows, ts).count(flow, bytes);
                        window(both, ts).count(flow, bytes);
                    });
            add(rows, Queries.EACH, life.node(), windows);
        }
        add(rows, Queries.ALL, "", both);
        add(rows, Queries.SORTED, "", both);
        return rows;
    }

    static Window window(Map<Long, Window> windows, long tsNs) {
        return windows.computeIfAbsent(Queries.endNs(tsNs), end -> new Window());
    }

    static void add(List<Row> rows, String query, String node, Map<Long, Window> windows) {
        windows.forEach(
                (endNs, window) ->
                        window.groups()
                                .forEach(
                                        (flow, g) ->
                                                rows.add(
                                                        new Row(
                                                                query,
                                                                node,
                                                                endNs,
                                                                flow,
                                                                g.packets(),
                                                                g.bytes(),
                                                                1,
                                                                0))));
    }

    Audit audit(List<Row> rows) {
        return audit(rows, audit -> {});
    }

    Audit audit(List<Row> rows, Consumer<Audit> known) {
        RowLog log = new RowLog();
        rows.forEach(row -> add(log, row));
        addBusy(log);
        Audit audit = new Audit(frames, List.of(first, second), log, KafkaSettings.SHARDS);
        known.accept(audit);
        audit.upTo(HORIZON - 5 * SECOND);
        audit.upTo(HORIZON);
        audit.told(first);
        audit.told(second);
        return audit;
    }

    /** Of merged rows each shard has some. */
    static String maker(Row row) {
        boolean merged = row.query().equals(Queries.ALL);
        return merged
                ? "shard-" + Math.floorMod(Long.hashCode(row.flow() * MIX), KafkaSettings.SHARDS)
                : row.node();
    }

    static void add(RowLog log, Row row) {
        log.row(
                row.query(),
                row.node(),
                maker(row),
                row.endNs(),
                row.flow(),
                row.packets(),
                row.bytes(),
                row.completeness(),
                0,
                row.missing());
    }

    /** The row that may wake, of each window of a worker but for one; none is busy. */
    void addBusy(RowLog log) {
        for (Queries.Woken woken : Queries.WOKEN.subList(0, 2)) {
            for (long end = Queries.endNs(BEGIN); end <= HORIZON; end += SECOND) {
                if (end != lostNs) {
                    log.row(woken.by(), "", woken.madeBy(), end, 0, 0, 0, 1, 0, 0);
                }
            }
        }
    }

    void isWrong(String how, Consumer<List<Row>> change) {
        List<Row> rows = right();
        change.accept(rows);
        assertFalse(audit(rows).wrong().isEmpty(), how + ", seed " + SEED);
    }

    int any(List<Row> rows) {
        return random.nextInt(rows.size());
    }
}
