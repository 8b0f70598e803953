package io.weir.cluster.scale;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.results.Result;
import io.weir.cluster.kafka.results.ResultTopic;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.Listener;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.Program;
import io.weir.cluster.sink.RowJson;
import io.weir.cluster.sink.TextOut;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Clock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The right answers of the cluster, from one engine over one of the captures. All nodes see the
 * same packets, so a sum over all nodes is a multiple of one node's. Queries end in the columns
 * {@code n} and {@code b}, which are sums.
 */
final class Answers {
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final Pattern ROW = Pattern.compile("(\\{.*?)\"n\":(\\d+),\"b\":(\\d+)\\}");

    /** The sums by query, then by window and group. */
    private final Map<String, Map<String, Sums>> expected;

    record Sums(long n, long b) {
        Sums times(long factor) {
            return new Sums(n * factor, b * factor);
        }
    }

    private Answers(Map<String, Map<String, Sums>> expected) {
        this.expected = expected;
    }

    /** Runs the queries on one engine. */
    static Answers of(List<String> creates, SourceSpec capture) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of(capture));
        Program program = node.load(node.frontend().parse(String.join(";\n", creates)));
        Collecting rows = new Collecting();
        node.replay(program.queries(), rows, Listener.NONE).run();
        return new Answers(rows.rows);
    }

    private static final class Collecting implements RowSink {
        private final Map<String, Map<String, Sums>> rows = new HashMap<>();
        private final Map<String, RowJson> forms = new HashMap<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TextOut out = new TextOut(bytes);

        @Override
        public void rows(RowBatch batch) {
            Query query = batch.query();
            RowJson form = forms.computeIfAbsent(query.name(), name -> form(query));
            Map<String, Sums> of = rows.computeIfAbsent(query.name(), name -> new TreeMap<>());
            for (int row = 0; row < batch.rows(); row++) {
                bytes.reset();
                form.write(out, batch, row);
                out.flush();
                put(of, batch.windowEndNs(), bytes.toString(StandardCharsets.UTF_8));
            }
        }

        private static RowJson form(Query query) {
            return RowJson.of(
                    query.columns(), IntStream.range(0, query.columns().size()).toArray());
        }
    }

    private static void put(Map<String, Sums> into, long windowEndNs, String row) {
        Matcher parts = ROW.matcher(row);
        if (!parts.matches()) {
            throw new WeirException(ErrorCode.INTERNAL, "not a row of this measurement: " + row);
        }
        Sums sums = new Sums(Long.parseLong(parts.group(2)), Long.parseLong(parts.group(3)));
        if (into.put(windowEndNs + " " + parts.group(1), sums) != null) {
            throw new WeirException(ErrorCode.INTERNAL, "a row came twice: " + row);
        }
    }

    /** Returns the number of a query's rows. */
    long rows(String query) {
        return expected.getOrDefault(query, Map.of()).size();
    }

    /**
     * Fails unless a query's topic has exactly its rows.
     *
     * @param shiftNs what the replay added to the packets' times
     * @param factor how many nodes' packets are in each row
     */
    void check(KafkaSettings kafka, String query, long shiftNs, long factor)
            throws InterruptedException {
        long deadline = Clock.SYSTEM.nanos() + PATIENCE_NS;
        Map<String, Sums> came;
        do { // the last ones may not be committed yet
            came = new TreeMap<>();
            read(kafka, query, shiftNs, came);
        } while (came.size() < rows(query) && Clock.SYSTEM.nanos() < deadline);
        check(query, came, factor);
    }

    private static void read(
            KafkaSettings kafka, String query, long shiftNs, Map<String, Sums> into) {
        new ResultTopic(kafka, query)
                .all(r -> put(into, r.windowEndNs().orElseThrow() - shiftNs, text(r)));
    }

    private static String text(Result result) {
        return new String(result.value(), StandardCharsets.UTF_8);
    }

    /** Does the same for the given rows. */
    void check(String query, Map<String, Sums> came, long factor) {
        Map<String, Sums> wanted = new TreeMap<>();
        expected.getOrDefault(query, Map.of())
                .forEach((key, sums) -> wanted.put(key, sums.times(factor)));
        if (!wanted.equals(came)) {
            Map<String, Sums> surplus = new TreeMap<>(came);
            surplus.entrySet().removeAll(wanted.entrySet());
            Map<String, Sums> missing = new TreeMap<>(wanted);
            missing.entrySet().removeAll(came.entrySet());
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "wrong rows of "
                            + query
                            + ": "
                            + missing.size()
                            + " are missing, "
                            + surplus.size()
                            + " should not be there",
                    "first missing "
                            + missing.entrySet().stream().findFirst()
                            + ", first surplus "
                            + surplus.entrySet().stream().findFirst());
        }
    }
}
