package io.weir.sql.library;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A query of the library: its text, and the values of its header.
 *
 * @param name of the library query; queries that it creates may have other names
 * @param about one sentence
 * @param source where the definition is from
 * @param defaults of its parameters, which may be none
 * @param equery whether the text is Equery rather than SQL
 */
public record LibraryQuery(
        String name,
        String about,
        String source,
        Map<String, String> defaults,
        boolean equery,
        String text) {

    /** Lines {@code -- key: value} at the top; {@code set} may come several times. */
    static LibraryQuery read(String file, String text) {
        Map<String, List<String>> header = new LinkedHashMap<>();
        for (String line : text.split("\n")) {
            if (!line.startsWith("-- ")) {
                break;
            }
            int colon = line.indexOf(": ");
            header.computeIfAbsent(line.substring(3, colon), k -> new ArrayList<>())
                    .add(line.substring(colon + 2).strip());
        }
        Map<String, String> defaults = new LinkedHashMap<>();
        for (String set : header.getOrDefault("set", List.of())) {
            int equals = set.indexOf('=');
            defaults.put(set.substring(0, equals), set.substring(equals + 1));
        }
        return new LibraryQuery(
                only(file, header, "name"),
                only(file, header, "about"),
                only(file, header, "source"),
                Map.copyOf(defaults),
                file.endsWith(".equery"),
                text);
    }

    private static String only(String file, Map<String, List<String>> header, String key) {
        List<String> values = header.getOrDefault(key, List.of());
        if (values.size() != 1) {
            throw new WeirException(ErrorCode.INTERNAL, file + " has no line -- " + key + ": …");
        }
        return values.get(0);
    }

    /**
     * Parses its statements.
     *
     * @param set values for parameters, before the defaults
     */
    public List<Statement> parse(SqlFrontend frontend, Map<String, String> set) {
        Map<String, String> parameters = new LinkedHashMap<>(defaults);
        parameters.putAll(set);
        return equery ? frontend.parseEquery(text, parameters) : frontend.parse(text, parameters);
    }
}
