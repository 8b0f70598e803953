package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.TestCatalogs;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.TinySource;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Both steps of the merge without Kafka, as {@link ProcessorBench}es, over packets by source in
 * windows of a second: a query whose rows are made in shards, and one whose are made after them.
 */
final class MergeBench implements AutoCloseable {
    static final String IN_SHARDS = "in_shards";
    static final String AFTER_SHARDS = "after_shards";
    private static final String SELECT =
            " AS SELECT src_addr, COUNT(*) AS n, packets_lost, packets_missing, completeness"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";
    private static final String QUERIES =
            "CREATE QUERY in_shards"
                    + SELECT
                    + "; CREATE QUERY after_shards"
                    + SELECT
                    + " ORDER BY n DESC;";
    private static final Pattern ROW =
            Pattern.compile(
                    ".*\"n\":(\\d+),\"packets_lost\":(\\d+),\"packets_missing\":(\\d+),"
                            + "\"completeness\":([0-9.E-]+)}");

    /** What rows of a window say; of several shards, whichever lacks most. */
    static final class Told {
        long packets;
        long lost;
        long missing;
        double completeness = 1;

        @Override
        public String toString() {
            return packets
                    + " packets, "
                    + lost
                    + " lost, "
                    + missing
                    + " missing, "
                    + completeness;
        }
    }

    private final ProcessorBench.World world;
    private final List<ProcessorBench> first = new ArrayList<>();
    private final ProcessorBench second;
    private final Map<String, TreeMap<Integer, Told>> windows = new TreeMap<>();
    private final List<String> rows = new ArrayList<>();

    MergeBench(int shards, long timeoutNs, Map<String, Long> workers) {
        this(shards, timeoutNs, workers, "");
    }

    /**
     * @param more queries, besides
     */
    MergeBench(int shards, long timeoutNs, Map<String, Long> workers, String more) {
        this(shards, timeoutNs, workers, more, 1 << 24);
    }

    /**
     * @param partialBytes as of the options
     */
    MergeBench(
            int shards, long timeoutNs, Map<String, Long> workers, String more, long partialBytes) {
        List<Query> queries = MergedLibraryTest.queries(QUERIES + more);
        world = new ProcessorBench.World(TestCatalogs.of(1, queries), workers);
        MergeStage.Options options = new MergeStage.Options(partialBytes, timeoutNs);
        second = new ProcessorBench(world, options, 0, shards, true, onward -> {}, this::row);
        for (int s = 0; s < shards; s++) {
            first.add(
                    new ProcessorBench(
                            world, options, s, shards, false, second::process, this::row));
        }
    }

    ProcessorBench.World world() {
        return world;
    }

    ProcessorBench shard(int shard) {
        return first.get(shard);
    }

    ProcessorBench second() {
        return second;
    }

    void tick() {
        first.forEach(ProcessorBench::tick);
        second.tick();
    }

    /** What a worker sends to each shard that saw so many packets in each second. */
    List<List<MergeMessage>> sent(String worker, int[] packets) {
        return sent(worker, "1", false, packets);
    }

    /** In one of its lives, its begin first where it says so. */
    List<List<MergeMessage>> sent(String worker, String life, boolean begins, int[] packets) {
        List<CompiledQuery> codes = new ArrayList<>();
        world.catalog().definitions().values().stream()
                .filter(definition -> definition.query().reads().isSpread())
                .forEach(definition -> codes.add(world.codes().of(definition)));
        return TinySource.messages(
                codes,
                new WorkerEpoch(worker, life),
                first.size(),
                PartialWriter.DEFAULT_BLOCK_BYTES,
                begins,
                packets);
    }

    /** The same where queries are replaced before a second, by these in version 2. */
    List<List<MergeMessage>> replacing(
            String worker, int[] packets, int second, List<Query> successors) {
        List<CompiledQuery> codes = new ArrayList<>();
        List<CompiledQuery> later = new ArrayList<>();
        world.catalog().definitions().values().stream()
                .filter(definition -> definition.query().reads().isSpread())
                .filter(definition -> definition.query().when().isEmpty())
                .forEach(definition -> codes.add(world.codes().of(definition)));
        successors.forEach(query -> later.add(world.codes().of(new Definition(query, 2, 0))));
        return TinySource.replacing(
                codes, later, second, new WorkerEpoch(worker, "1"), first.size(), packets);
    }

    /** Takes those from a shard's messages with which that second has passed. */
    static List<MergeMessage> take(List<MergeMessage> messages, int second) {
        List<MergeMessage> taken = new ArrayList<>();
        boolean passed = false;
        for (Iterator<MergeMessage> all = messages.iterator();
                all.hasNext() && !passed;
                all.remove()) {
            MergeMessage message = all.next();
            taken.add(message);
            passed =
                    message instanceof MergeMessage.Passed p
                            && p.watermarkNs() >= (second + 1) * TinySource.SECOND_NS;
        }
        return taken;
    }

    private void row(Record<byte[], byte[]> record) {
        String query = header(record, "query");
        String text = new String(record.value(), StandardCharsets.UTF_8);
        if (!query.equals(IN_SHARDS) && !query.equals(AFTER_SHARDS)) {
            rows.add(query + ": " + text + ", completeness " + header(record, "completeness"));
            return;
        }
        String end = header(record, "window_end");
        rows.add(query + ", " + end + ": " + text);
        int second = Integer.parseInt(end.replaceFirst(".*:(\\d\\d)(\\.0*)?Z", "$1")) - 1;
        Told told =
                windows.computeIfAbsent(query, q -> new TreeMap<>())
                        .computeIfAbsent(second, s -> new Told());
        Matcher row = ROW.matcher(text);
        if (!row.matches()) {
            throw new IllegalStateException(text);
        }
        told.packets += Long.parseLong(row.group(1));
        told.lost = Math.max(told.lost, Long.parseLong(row.group(2)));
        told.missing = Math.max(told.missing, Long.parseLong(row.group(3)));
        told.completeness = Math.min(told.completeness, Double.parseDouble(row.group(4)));
    }

    private static String header(Record<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    /** All of them, in the order in which they were made. */
    List<String> rows() {
        return rows;
    }

    /** By second. */
    Map<Integer, Told> windows(String query) {
        return windows.getOrDefault(query, new TreeMap<>());
    }

    @Override
    public void close() {
        first.forEach(ProcessorBench::close);
        second.close();
    }
}
