package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.WeirException;
import io.weir.operators.function.FunctionDef;
import io.weir.operators.function.FunctionRegistry;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.sql.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * SQL text to rows, as DuckDB has them over packets that tshark decoded. {@code src/test/sqllogic}
 * has the queries and answers, and tells how to add one. All queries of a file run in one engine,
 * whose number of pipelines is left to chance.
 */
class SqlLogicTest {
    private static final Path FOLDER = Path.of("src", "test", "sqllogic");
    private static final Map<String, Path> CAPTURES =
            Map.of(
                    "demo", Path.of("..", "..", "demo", "capture.pcap"),
                    "mixed", FOLDER.resolve("captures").resolve("mixed.pcap"),
                    "calendar", FOLDER.resolve("captures").resolve("calendar.pcap"));
    private static final int LEAST_QUERIES = 500;

    /** Functions over windows without packets; WindowRowsOracleTest holds them. */
    private static final Set<String> ELSEWHERE =
            Set.of("SESSION", "SESSION_START", "SESSION_END", "NEW", "NEW_SINCE");

    private static final long SEED = Long.getLong("weir.seed", 57);

    @TestFactory
    Stream<DynamicNode> rowsAreDuckDbs() throws IOException {
        return files().stream().map(SqlLogicTest::tests);
    }

    @Test
    void thereAreManyQueries() throws IOException {
        long queries =
                files().stream()
                        .flatMap(file -> file.items().stream())
                        .filter(item -> item instanceof LogicFile.Query)
                        .count();
        System.out.println(queries + " queries");
        assertTrue(queries >= LEAST_QUERIES, queries + " queries");
    }

    @Test
    void eachFunctionIsInAQuery() throws IOException {
        String all =
                files().stream()
                        .flatMap(file -> file.items().stream())
                        .map(LogicFile.Item::sql)
                        .collect(Collectors.joining("\n"));
        List<String> missing =
                FunctionRegistry.loaded().all().stream()
                        .map(FunctionDef::name)
                        .filter(name -> !ELSEWHERE.contains(name))
                        .filter(
                                name ->
                                        !Pattern.compile("\\b" + name + " ?\\(")
                                                .matcher(all)
                                                .find())
                        .toList();
        assertEquals(List.of(), missing, "README.md beside the files tells how to add a query");
    }

    private static List<LogicFile> files() throws IOException {
        try (Stream<Path> paths = Files.walk(FOLDER)) {
            return paths.filter(path -> path.toString().endsWith(".test"))
                    .sorted()
                    .map(LogicFile::read)
                    .toList();
        }
    }

    private static DynamicNode tests(LogicFile file) {
        Run run = new Run(file);
        return DynamicContainer.dynamicContainer(
                FOLDER.relativize(file.path()).toString(),
                file.items().stream()
                        .map(item -> DynamicTest.dynamicTest(name(item), () -> run.check(item))));
    }

    private static String name(LogicFile.Item item) {
        String line = item.where().substring(item.where().lastIndexOf(':') + 1);
        return line + ": " + item.sql().replaceAll("\\s+", " ");
    }

    /** One pass of the capture for all queries of a file. It begins at the first check. */
    private static final class Run {
        private final LogicFile file;
        private final Shape shape;
        private final EmbeddedNode node;
        private final Map<LogicFile.Item, LogicRows> rows = new HashMap<>();
        private final Map<LogicFile.Item, WeirException> errors = new HashMap<>();
        private boolean done;

        Run(LogicFile file) {
            this.file = file;
            Path capture = CAPTURES.get(file.path().getParent().getFileName().toString());
            Random random = new Random(SEED + file.path().toString().hashCode());
            shape = new Shape(1 + random.nextInt(2), 1 + random.nextInt(2));
            NodeSettings settings = NodeSettings.DEFAULT.withShape(shape);
            node = new EmbeddedNode(settings, List.of(SourceSpec.pcap("local", capture)));
        }

        void check(LogicFile.Item item) {
            if (!done) {
                done = true;
                run();
            }
            WeirException error = errors.get(item);
            String how = " with " + shape + ", -Dweir.seed=" + SEED + "\n";
            String where = item.where() + how + item.sql() + "\n";
            if (item instanceof LogicFile.Plain plain && plain.error() != null) {
                assertTrue(error != null, where + "is no error");
                assertTrue(
                        Pattern.compile(plain.error()).matcher(text(error)).find(),
                        () -> where + text(error));
                return;
            }
            if (error != null) {
                throw new AssertionError(where, error);
            }
            if (item instanceof LogicFile.Query query) {
                assertEquals("", rows.get(item).difference(query), where);
            }
        }

        private static String text(WeirException error) {
            return error.code() + ": " + error.getMessage();
        }

        private void run() {
            List<Query> queries = new ArrayList<>();
            Map<String, LogicRows> byName = new HashMap<>();
            for (LogicFile.Item item : file.items()) {
                try {
                    Query query = planned(item, "answer" + queries.size());
                    LogicRows found = new LogicRows();
                    if (query != null) {
                        queries.add(query);
                        byName.put(query.name(), found);
                    }
                    rows.put(item, found);
                } catch (WeirException e) {
                    errors.put(item, e);
                }
            }
            node.replay(
                            queries,
                            batch -> byName.get(batch.query().name()).add(batch),
                            Listener.NONE)
                    .run();
        }

        /** Returns the query to run, or null for a statement that makes one or is wrong. */
        private Query planned(LogicFile.Item item, String name) {
            List<Statement> statements = node.frontend().parse(item.sql(), Map.of());
            if (statements.get(0) instanceof Statement.Select select
                    && item instanceof LogicFile.Query) {
                return SubQueryNames.renamed(select.query(), name);
            }
            node.load(statements);
            return null;
        }
    }
}
