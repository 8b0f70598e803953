package io.weir.cluster.launcher;

import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Where a run's queries come from: one of four. */
final class QueryText {
    @Option(
            names = "-e",
            paramLabel = "SQL",
            description = "Statements, separated by semicolons.")
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

    /** The text's statements, planned. */
    List<Statement> statements(SqlFrontend frontend, Map<String, String> parameters) {
        if (sql != null) {
            return frontend.parse(sql, parameters);
        } else if (sqlFile != null) {
            return inFile(sqlFile, text -> frontend.parse(text, parameters));
        } else if (equeryFile != null) {
            return inFile(equeryFile, text -> frontend.parseEquery(text, parameters));
        }
        return LibraryQueries.statements(library, frontend, parameters);
    }

    private interface Parser {
        List<Statement> parse(String text);
    }

    private static List<Statement> inFile(Path file, Parser parser) {
        String text = QuerySource.read(file);
        try {
            return parser.parse(text);
        } catch (WeirException e) {
            throw QuerySource.in(file, e);
        }
    }
}
