package io.weir.cluster.node;

import io.weir.cluster.catalog.Dependencies;
import io.weir.cluster.catalog.QueryCatalog;
import io.weir.cluster.sink.Format;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.sql.Statement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs a query over a capture, and compares its rows with those of a CSV file. Cold; stateless. */
final class QueryTest {
    private static final List<String> HEADINGS = List.of("query", "capture", "rows", "result");

    /** The most bytes of a file of rows, and of the rows themselves. */
    private static final long MOST_BYTES = 64L << 20;

    private final QueryCatalog catalog;
    private final NodeSettings settings;
    private final TableFolders folders;

    QueryTest(QueryCatalog catalog, NodeSettings settings, TableFolders folders) {
        this.catalog = catalog;
        this.settings = settings;
        this.folders = folders;
    }

    /** Returns the verdict of a test; asking for it runs the test. */
    Answer.Texts answer(Statement.TestQuery test) {
        return new Answer.Texts(HEADINGS, () -> List.of(passed(test)));
    }

    /**
     * @throws WeirException TEST_FAILED with the rows that differ; UNREADABLE_INPUT
     */
    private List<String> passed(Statement.TestQuery test) {
        CsvRows expected = CsvRows.parse(text(folders.findTested(test.rows())));
        CsvRows actual = CsvRows.parse(rows(test.query(), folders.findTested(test.capture())));
        boolean ordered = test.query().root() instanceof Operator.Sort;
        Optional<String> difference = expected.difference(actual, ordered);
        if (difference.isPresent()) {
            throw new WeirException(
                    ErrorCode.TEST_FAILED,
                    "the rows over "
                            + test.capture()
                            + " are not those of "
                            + test.rows()
                            + difference.get(),
                    "- is expected and missing, + is there and not expected");
        }
        String rows = Integer.toString(actual.rows());
        return List.of(test.query().name(), test.capture(), rows, "passed");
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new WeirException(
                        ErrorCode.UNREADABLE_INPUT,
                        file + " has more than " + MOST_BYTES + " bytes",
                        "let the query have fewer rows: ORDER BY and LIMIT, or HAVING");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT,
                    file + " cannot be read: " + e.getClass().getSimpleName(),
                    "weir run --format csv writes such a file");
        }
    }

    private String rows(Query query, Path capture) {
        List<SourceSpec> captures = List.of(SourceSpec.pcap("local", capture));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Events events = new Events(wake -> {});
        Report report;
        try (OutputSink sink = Format.CSV.sink(new TextOut(bytes), List.of(query))) {
            Replay replay = new Replay(settings, captures, events);
            Function<String, Optional<Query>> byName =
                    name -> name.equals(query.name()) ? Optional.of(query) : catalog.find(name);
            for (Query needed : Dependencies.closure(List.of(query), byName)) {
                if (needed.name().equals(query.name())) {
                    replay.add(needed, sink);
                } else {
                    replay.add(needed);
                }
            }
            report = replay.run();
            sink.end();
        }
        if (!report.failures().isEmpty()) {
            throw report.failures().get(0);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
