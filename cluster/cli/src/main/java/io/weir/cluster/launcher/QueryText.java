package io.weir.cluster.launcher;

import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options for a run's queries: one of four. */
final class QueryText {
    @Option(names = "-e", paramLabel = "SQL", description = "Statements, separated by semicolons.")
    private String sql;

    @Option(names = "--sql", paramLabel = "FILE", description = "A file of statements.")
    private Path sqlFile;

    @Option(
            names = "--equery",
            paramLabel = "FILE",
            description = "A file in Edison's language: name: select …;")
    private Path equeryFile;

    @Option(
            names = "--library",
            paramLabel = "NAME",
            description = "A query of the library; weir queries lists them.")
    private String library;

    /**
     * Plans the text's statements.
     *
     * @param parameters of {@code --set}; one that the text does not have is an error
     */
    List<Statement> statements(SqlFrontend frontend, Map<String, String> parameters) {
        if (sql != null) {
            checkUsed(sql, parameters);
            return frontend.parse(sql, parameters);
        } else if (sqlFile != null) {
            return inFile(sqlFile, parameters, frontend::parse);
        } else if (equeryFile != null) {
            return inFile(equeryFile, parameters, frontend::parseEquery);
        }
        LibraryQuery query = QueryLibrary.load().find(library);
        checkUsed(query.text(), parameters);
        return query.parse(frontend, parameters);
    }

    /** Fails if statements and packets would come from one pipe. */
    void checkNoneOf(List<SourceSpec> captures) {
        for (Path file : Arrays.asList(sqlFile, equeryFile)) {
            if (file != null && captures.stream().anyMatch(c -> isPipe(c, file))) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "statements and packets cannot both come from " + file,
                        "put the statements in a file");
            }
        }
    }

    private static boolean isPipe(SourceSpec source, Path file) {
        return source.isReadOnce() && Sources.isSame(source, SourceSpec.pcap("", file));
    }

    private interface Parser {
        List<Statement> parse(String text, Map<String, String> parameters);
    }

    private static List<Statement> inFile(
            Path file, Map<String, String> parameters, Parser parser) {
        String text = QuerySource.read(file);
        checkUsed(text, parameters);
        try {
            return parser.parse(text, parameters);
        } catch (WeirException e) {
            throw QuerySource.in(file, e);
        }
    }

    private static void checkUsed(String text, Map<String, String> parameters) {
        for (String name : parameters.keySet()) {
            if (!Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(text).find()) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "--set " + name + ": the text has no parameter " + name,
                        "in SQL a parameter is written :name");
            }
        }
    }
}
