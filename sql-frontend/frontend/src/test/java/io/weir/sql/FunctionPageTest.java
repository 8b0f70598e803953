package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.function.Example;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.function.Role;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.SampleRun;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.validate.Spelling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the registry says of functions is so, and docs/FUNCTIONS.md says the same. */
class FunctionPageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "FUNCTIONS.md");

    @TestFactory
    Stream<DynamicTest> examplesHaveTheirValues() {
        return FunctionRegistry.loaded().all().stream()
                .flatMap(
                        def ->
                                def.examples().stream()
                                        .map(
                                                e ->
                                                        DynamicTest.dynamicTest(
                                                                e.statement(),
                                                                () -> check(def, e))));
    }

    private static void check(FunctionDef def, Example example) {
        Query query =
                new SqlFrontend(new MapCatalog()).parseQuery(example.statement(), Map.of()).query();
        Kind kind = query.columns().get(0).type().kind();
        if (def.role() != Role.APPROXIMATE) { // the interpreter has no sketches
            String plain = first(SampleRun.byInterpreter(query), kind);
            assertEquals(example.value(), plain, "the interpreter says");
        }
        assertEquals(example.value(), first(SampleRun.byKernel(query), kind), "the kernel says");
    }

    private static String first(List<List<Object>> rows, Kind kind) {
        return SampleRun.text(rows.get(0).get(0), kind);
    }

    /** By another method than integers: its parts are merged, and its last digits may differ. */
    @Test
    void realsVaryAsIntegersDo() {
        for (String where : List.of("TRUE", "bytes < 100", "bytes = 60", "FALSE")) {
            String of = " FILTER (WHERE " + where + ")";
            String sql =
                    "SELECT VAR_POP(bytes)"
                            + of
                            + ", VAR_POP(bytes * 1.0)"
                            + of
                            + ", STDDEV(bytes)"
                            + of
                            + ", STDDEV(bytes * 1.0)"
                            + of
                            + " FROM packets";
            Query query = new SqlFrontend(new MapCatalog()).parseQuery(sql, Map.of()).query();
            List<Object> row = SampleRun.byKernel(query).get(0);
            for (int i = 0; i < row.size(); i += 2) {
                if (row.get(i) == null) {
                    assertNull(row.get(i + 1), where);
                } else {
                    assertEquals((Double) row.get(i), (Double) row.get(i + 1), 1e-9, where);
                }
            }
        }
    }

    /** A hint finds a name that is nearly right, of any function. */
    @Test
    void hintsKnowEveryFunction() {
        for (FunctionDef def : FunctionRegistry.loaded().all()) {
            String hint = Spelling.ofFunction(def.name().toLowerCase() + "q");
            assertTrue(hint.contains("did you mean"), def.name() + ": " + hint);
        }
    }

    @Test
    void thePageIsMadeFromTheRegistry() throws IOException {
        String text = FunctionPage.text();
        if (Boolean.getBoolean("weir.write")) {
            Files.writeString(PAGE, text);
        }
        assertEquals(Files.readString(PAGE), text, "write it anew: see the page's beginning");
    }

    @Test
    void linesOfThePageAreShort() {
        FunctionPage.text()
                .lines()
                .forEach(line -> assertTrue(line.length() <= 100, "too long: " + line));
    }
}
