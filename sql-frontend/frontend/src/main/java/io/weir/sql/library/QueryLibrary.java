package io.weir.sql.library;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.Suggestion;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The queries that come with Weir: files on the class path, read at the first use. Any thread. */
public final class QueryLibrary {
    private static final String FOLDER = "/io/weir/library/";
    private static final String INDEX = "index.txt";

    private final List<LibraryQuery> queries;

    private QueryLibrary(List<LibraryQuery> queries) {
        this.queries = List.copyOf(queries);
    }

    /** Reads the library; a file that is missing is an INTERNAL error. */
    public static QueryLibrary load() {
        List<LibraryQuery> queries = new ArrayList<>();
        for (String file : text(INDEX).split("\n")) {
            queries.add(LibraryQuery.read(file, text(file)));
        }
        return new QueryLibrary(queries);
    }

    private static String text(String file) {
        try (InputStream stream = QueryLibrary.class.getResourceAsStream(FOLDER + file)) {
            if (stream != null) {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new WeirException(ErrorCode.INTERNAL, "the library cannot be read: " + file);
        }
        throw new WeirException(ErrorCode.INTERNAL, "the library lacks " + file);
    }

    /** Returns all queries, by name. */
    public List<LibraryQuery> all() {
        return queries;
    }

    /** Finds a query. Throws UNKNOWN_QUERY, with near names. */
    public LibraryQuery find(String name) {
        return queries.stream()
                .filter(query -> query.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    private WeirException unknown(String name) {
        List<String> names = queries.stream().map(LibraryQuery::name).toList();
        return new WeirException(
                ErrorCode.UNKNOWN_QUERY,
                "the library has no query " + name,
                Suggestion.hint(name, names, "weir queries lists them"));
    }
}
