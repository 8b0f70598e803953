package io.weir.cluster.console;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes words in a statement when the user presses Tab: the language, streams, queries, columns
 * and functions. sqlline completes the console's commands.
 */
final class WordCompleter implements Completer {
    private static final List<String> WORDS =
            List.of(
                    """
                    ACCOUNT AGGREGATE AGGREGATES ALL ANALYZE AND AS ASC AUDIT
                    BETWEEN BINDINGS BY
                    CASE CAST COST CREATE
                    DAY DESC DESCRIBE DESCRIPTOR DISTINCT DROP
                    ELSE END EVENTS EXISTS EXPECT EXPLAIN
                    FILTER FOR FROM FULL FUNCTIONS
                    GROUP
                    HAVING HOP HOUR
                    IF IN INET INTERVAL IS
                    JOIN
                    KERNEL
                    LEFT LIKE LIMIT LOSS
                    MERGE MINUTE
                    NOT NULL
                    OFFSET ON OR ORDER
                    PAUSE
                    QUERIES QUERY
                    REPLACE RESUME RETURN RIGHT
                    SECOND SELECT SHOW SOURCE SOURCES STATE STREAMS SUBSCRIBE
                    TABLE TABLES TEST THEN TIMESTAMP TUMBLE
                    UNION UNTIL UPDATE USING
                    WHEN WHERE WITH WORKERS
                    """
                            .split("\\s+"));

    private final Completer commands;
    private final Supplier<Collection<String>> names;

    /**
     * @param names of all that a statement may be about now, functions in capitals
     */
    WordCompleter(Completer commands, Supplier<Collection<String>> names) {
        this.commands = commands;
        this.names = names;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        if (line.line().stripLeading().startsWith("!")) {
            commands.complete(reader, line, candidates);
            return;
        }
        String typed = line.word().substring(0, line.wordCursor());
        int begin = typed.length();
        while (begin > 0 && Character.isJavaIdentifierPart(typed.charAt(begin - 1))) {
            begin--;
        }
        String before = typed.substring(0, begin);
        String word = typed.substring(begin);
        boolean lower = !word.isEmpty() && Character.isLowerCase(word.charAt(0));
        WORDS.forEach(w -> add(before, lower ? w.toLowerCase(Locale.ROOT) : w, word, candidates));
        names.get().forEach(name -> add(before, name, word, candidates));
    }

    /** The reader takes the result as the whole text between blanks. */
    private static void add(String before, String word, String typed, List<Candidate> candidates) {
        boolean fits = word.regionMatches(true, 0, typed, 0, typed.length());
        if (fits) {
            candidates.add(
                    new Candidate(before + word, word, null, null, null, null, before.isEmpty()));
        }
    }
}
