package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.graph.GraphReader;
import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.graph.GraphWriter;
import io.weir.cluster.wire.QueryGraph;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.kernel.code.Plan;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.library.QueryLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A plan that went through bytes is the same plan, and so has the same kernels: for random graphs,
 * each query of the library, each function's examples and the demo's scripts.
 */
class GraphBytesTest {
    private static final int QUERIES = Integer.getInteger("weir.rounds", 2_000);
    private static final List<String> LAYOUTS = List.of("full", "flow32", "flow64");

    private static Query through(Query query) {
        byte[] bytes = GraphWriter.of(query, "1.2").toByteArray();
        try {
            QueryGraph graph = QueryGraph.parseFrom(bytes);
            return GraphReader.query(graph, query.name(), query.sql(), "1.3", GraphTables.empty());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static void check(Query query, List<GpvLayout> layouts, String what) {
        Query read = through(query);
        assertEquals(query, read, what);
        if (query.reads().comesAsGpvs()) {
            for (GpvLayout layout : layouts) {
                assertEquals(kernel(query, layout), kernel(read, layout), what);
            }
        }
    }

    /** The text of its kernel, or the reason why it has none. */
    private static String kernel(Query query, GpvLayout layout) {
        try {
            KernelCompiler.check(query, List.of(layout));
            return QuerySources.of(Plan.of(query)).kernel(layout).shown();
        } catch (WeirException refused) {
            return refused.text();
        }
    }

    private static List<GpvLayout> layouts(String name) {
        return GpvLayout.all().stream().filter(l -> l.name().equals(name)).toList();
    }

    @Test
    void randomQueriesAreTheSame() {
        long base = Long.getLong("weir.seed", 1);
        for (int i = 0; i < QUERIES; i++) {
            Random random = new Random(base + i);
            List<GpvLayout> layouts = layouts(LAYOUTS.get(random.nextInt(LAYOUTS.size())));
            Operator.Scan scan =
                    new Operator.Scan(
                            StreamType.PACKETS, RandomPackets.columns(layouts.get(0)), "ts");
            check(new RandomQueries(random, scan).next(), layouts, "-Dweir.seed=" + (base + i));
        }
    }

    private static int checkAll(List<Statement> statements) {
        int queries = 0;
        for (Statement statement : statements) {
            if (statement instanceof Statement.CreateQuery create) {
                check(create.query(), layouts("full"), create.query().sql());
                queries++;
            } else if (statement instanceof Statement.Select select) {
                check(select.query(), layouts("full"), select.query().sql());
                queries++;
            }
        }
        return queries;
    }

    @Test
    void queriesOfTheLibraryAreTheSame() {
        for (var query : QueryLibrary.load().all()) {
            Map<String, String> set = query.equery() ? Map.of("NodeX", "n1") : Map.of();
            int queries = checkAll(query.parse(new SqlFrontend(new MapCatalog()), set));
            assertTrue(queries > 0, query.name());
        }
    }

    @Test
    void aLongListOfConstantsIsTheSame() {
        StringBuilder ports = new StringBuilder("1");
        StringBuilder hosts = new StringBuilder("'10.0.0.1'");
        for (int n = 2; n <= 200; n++) {
            ports.append(", ").append(n);
            hosts.append(", '2001:db8::").append(n).append("'");
        }
        String sql =
                "SELECT bytes FROM packets WHERE dst_port IN (%s) AND src_addr NOT IN (%s)"
                        .formatted(ports, hosts);
        assertEquals(1, checkAll(new SqlFrontend(new MapCatalog()).parse(sql)));
    }

    @Test
    void examplesOfFunctionsAreTheSame() {
        for (FunctionDef def : FunctionRegistry.loaded().all()) {
            for (var example : def.examples()) {
                String sql = example.statement();
                assertEquals(1, checkAll(new SqlFrontend(new MapCatalog()).parse(sql)), sql);
            }
        }
    }

    @Test
    void queriesOfTheDemoAreTheSame() throws IOException {
        for (String file : List.of("demo/demo.sql", "demo/cluster.sql")) {
            String sql = Files.readString(Path.of("../..", file));
            assertTrue(checkAll(new SqlFrontend(new MapCatalog()).parse(sql)) > 0, file);
        }
    }
}
