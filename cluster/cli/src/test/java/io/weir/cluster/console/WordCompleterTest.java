package io.weir.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.impl.DefaultParser;
import org.junit.jupiter.api.Test;

class WordCompleterTest {
    private static final List<String> NAMES = List.of("SUM", "packets", "src_addr", "src_port");

    /** What Tab offers after these keys, each with what it puts in. */
    private static List<String> offered(String typed) {
        List<Candidate> candidates = new ArrayList<>();
        WordCompleter completer =
                new WordCompleter((r, l, c) -> c.add(new Candidate("!quit")), () -> NAMES);
        completer.complete(null, new DefaultParser().parse(typed, typed.length()), candidates);
        return candidates.stream().map(Candidate::value).sorted().toList();
    }

    @Test
    void namesOfTheServerAndWordsOfTheLanguage() {
        assertEquals(List.of("packets", "pause"), offered("SELECT * FROM pa"));
        assertEquals(List.of("src_addr", "src_port"), offered("select src_"));
        assertEquals(List.of("SELECT"), offered("SEL"));
        assertEquals(List.of("select"), offered("sel"));
        assertEquals(List.of("SUBSCRIBE", "SUM"), offered("SU"));
        assertEquals(List.of("SUM", "subscribe"), offered("su"));
        assertEquals(List.of("SUM(src_addr"), offered("SELECT SUM(src_a"));
        assertEquals(List.of("packets.src_port"), offered("SELECT packets.src_p"));
        assertEquals(List.of(), offered("SELECT nothing_like_it"));
        assertEquals(List.of("!quit"), offered(" !q"));
    }

    @Test
    void whatIsSaidFitsAScreenOf80Columns() {
        Stream.of(HelpCommand.TEXT, ConsoleApplication.GREETING)
                .flatMap(String::lines)
                .forEach(line -> assertTrue(line.length() <= 80, line));
    }
}
