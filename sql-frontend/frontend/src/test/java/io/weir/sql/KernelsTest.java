package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What is planned can be compiled: the two floors mean the same by a plan's shape. */
class KernelsTest {
    private static final List<GpvLayout> LAYOUTS = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);

    @TestFactory
    Stream<DynamicTest> everyGoldenPlanCompiles() throws IOException {
        List<Query> queries = new ArrayList<>();
        for (String file : List.of("plans.txt", "equery.txt")) {
            for (Golden.Case golden : Golden.cases(file)) {
                queries.addAll(planned(golden.text()));
            }
        }
        assertTrue(queries.size() > 50);
        return queries.stream().map(KernelsTest::compiles);
    }

    @TestFactory
    Stream<DynamicTest> everyQueryOfTheLibraryCompiles() {
        SqlFrontend frontend = new SqlFrontend(new MapCatalog());
        List<Query> queries = new ArrayList<>();
        for (LibraryQuery entry : QueryLibrary.load().all()) {
            Map<String, String> set = entry.equery() ? Map.of("NodeX", "n1") : Map.of();
            entry.parse(frontend, set).forEach(s -> Golden.query(s).ifPresent(queries::add));
        }
        return queries.stream().map(KernelsTest::compiles);
    }

    private static List<Query> planned(String text) {
        try {
            return Golden.parse(text).stream().flatMap(s -> Golden.query(s).stream()).toList();
        } catch (WeirException anError) {
            return List.of();
        }
    }

    private static DynamicTest compiles(Query query) {
        return DynamicTest.dynamicTest(
                query.sql().lines().findFirst().orElse(""),
                () -> {
                    CompiledQuery compiled = KernelCompiler.compile(query, LAYOUTS);
                    assertEquals(query.columns(), compiled.rowLayout().columns());
                });
    }
}
