package io.weir.cluster.kafka.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UnknownFieldSet;
import io.weir.cluster.graph.GraphWriter;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.cluster.wire.GraphExpr;
import io.weir.cluster.wire.GraphOperator;
import io.weir.cluster.wire.QueryGraph;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queries of the catalogue are planned once; a reader takes the plan, or says why not. */
class PlannedRecordsTest {
    private static final String COUNTS =
            "CREATE QUERY counts AS SELECT window_end, src_addr, COUNT(*) AS packets FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";
    private static final String TOP =
            "CREATE QUERY top AS SELECT window_end, MAX(packets) AS most FROM counts"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '10' SECOND)";

    private static final Path RELEASED =
            Path.of("../testbed/src/main/resources/io/weir/cluster/faults/catalog-0.1.txt");

    private final List<Planning.Entry> entries = new ArrayList<>();

    private static Query planned(String sql, Catalog catalog) {
        Statement made = new SqlFrontend(catalog).parse(sql).get(0);
        return ((Statement.CreateQuery) made).query();
    }

    private void add(String name, CatalogRecord.Builder record) {
        long offset = entries.size();
        byte[] value = record.setFormat(Planning.FORMAT).setPlace(offset).build().toByteArray();
        entries.add(new Planning.Entry(name, offset, value));
    }

    private CatalogState state() {
        return Planning.plan(entries, CatalogState.EMPTY, entries.size());
    }

    private static CatalogRecord.Builder record(String sql, QueryGraph graph) {
        return CatalogRecord.newBuilder().setSql(sql).setGraph(graph);
    }

    private static QueryGraph graph(Query query) {
        return GraphWriter.of(query, "0.9");
    }

    /** A text that no release plans is not planned. */
    @Test
    void theGraphIsTakenAndTheTextIsForPeople() {
        Query counts = planned(COUNTS, new MapCatalog());
        MapCatalog seen = new MapCatalog();
        seen.put(counts);
        Query top = planned(TOP, seen);
        add("counts", record("CREATE QUERY counts AS of a later language", graph(counts)));
        add("top", record("CREATE QUERY top AS of a later language", graph(top)));
        CatalogState state = state();
        assertEquals(List.of(), state.faults());
        assertEquals(counts.root(), state.find("counts").orElseThrow().root());
        assertEquals(top.root(), state.find("top").orElseThrow().root());
        assertTrue(state.find("top").orElseThrow().sql().endsWith("a later language"));
    }

    @Test
    void aRecordWithoutAGraphIsPlanned() {
        add("counts", CatalogRecord.newBuilder().setSql(COUNTS));
        add("top", CatalogRecord.newBuilder().setSql(TOP));
        CatalogState state = state();
        assertEquals(List.of(), state.faults());
        assertEquals(
                planned(COUNTS, new MapCatalog()).root(),
                state.find("counts").orElseThrow().root());
        assertEquals(List.of("counts", "top"), state.names());
    }

    /** Records that 0.1 wrote, which {@code cluster faults} runs, too. */
    @Test
    void recordsOfTheLastReleaseAreRead() throws IOException {
        for (String line : Files.readAllLines(RELEASED)) {
            String[] record = line.split(" ");
            byte[] value = Base64.getDecoder().decode(record[1]);
            assertFalse(CatalogRecord.parseFrom(value).hasGraph());
            entries.add(new Planning.Entry(record[0], entries.size(), value));
        }
        CatalogState state = state();
        assertEquals(List.of(), state.faults());
        assertEquals(entries.stream().map(Planning.Entry::name).toList(), state.names());
        for (Query query : state.queries()) {
            assertEquals(planned(query.sql(), before(query, state)), query);
        }
    }

    private static Catalog before(Query query, CatalogState state) {
        MapCatalog seen = new MapCatalog();
        state.queries().stream().takeWhile(q -> !q.equals(query)).forEach(seen::put);
        return seen;
    }

    /** The replaced query's rows have another time: the old plan would read the wrong column. */
    @Test
    void aGraphThatDoesNotFitItsUpstreamIsPlannedAgain() {
        MapCatalog seen = new MapCatalog();
        seen.put(planned(COUNTS, seen));
        Query top = planned(TOP, seen);
        String other = COUNTS.replace("window_end,", "src_addr AS window_end,");
        add("counts", record(other, graph(planned(other, new MapCatalog()))));
        add("top", record(TOP, graph(top)));
        CatalogState state = state();
        assertEquals(1, state.faults().size());
        assertEquals("top", state.faults().get(0).name());
    }

    @Test
    void aGraphOverAQueryThatIsNotThereIsRefused() {
        MapCatalog seen = new MapCatalog();
        seen.put(planned(COUNTS, seen));
        add("top", record(TOP, graph(planned(TOP, seen))));
        assertTrue(state().faults().get(0).about().contains("counts"), state().faults().toString());
    }

    private void assertRefused(QueryGraph graph, String words) {
        entries.clear();
        add("counts", record(COUNTS, graph));
        String other = COUNTS.replace("counts", "others");
        add("others", record(other, graph(planned(other, new MapCatalog()))));
        CatalogState state = state();
        assertEquals(List.of("others"), state.names());
        assertEquals(1, state.faults().size());
        String about = state.faults().get(0).about();
        assertTrue(about.contains("was planned by Weir 0.9, and Weir 0.1 does not know"), about);
        assertTrue(about.contains(words), about);
    }

    /** The release is named, and other queries run. */
    @Test
    void aPlanWithAPartOfALaterReleaseIsRefused() {
        QueryGraph graph = graph(planned(COUNTS, new MapCatalog()));
        UnknownFieldSet later =
                UnknownFieldSet.newBuilder()
                        .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build();
        assertRefused(graph.toBuilder().setFormat(4).build(), "format 4");
        assertRefused(graph.toBuilder().setUnknownFields(later).build(), "field 99 of QueryGraph");
        GraphOperator.Builder scan = graph.getOperator(0).toBuilder();
        scan.getScanBuilder().setUnknownFields(later);
        assertRefused(graph.toBuilder().setOperator(0, scan).build(), "field 99 of GraphScan");
        scan = graph.getOperator(0).toBuilder();
        scan.getScanBuilder().setStream("frames");
        assertRefused(graph.toBuilder().setOperator(0, scan).build(), "the stream frames");
        for (int e = 0; e < graph.getExprCount(); e++) {
            GraphExpr.Builder expr = graph.getExpr(e).toBuilder();
            if (expr.hasCall()) {
                expr.getCallBuilder().setFunction("later");
                assertRefused(graph.toBuilder().setExpr(e, expr).build(), "the function later");
                expr.getCallBuilder().addArgument(e);
                expr.getCallBuilder().setFunction(graph.getExpr(e).getCall().getFunction());
                assertRefused(graph.toBuilder().setExpr(e, expr).build(), "part " + e);
            } else {
                expr.setKind("DECIMAL");
                assertRefused(graph.toBuilder().setExpr(e, expr).build(), "Kind DECIMAL");
            }
        }
    }
}
