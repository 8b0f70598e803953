package io.weir.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlSplitterTest {
    @Test
    void cutsAtSemicolonsOutsideQuotesAndComments() {
        assertEquals(
                List.of("a ';' \";\" b;", "-- c;\n/* ; */ d;", "e"),
                SqlSplitter.split("a ';' \";\" b; -- c;\n/* ; */ d;;\n ;e\n"));
    }

    @Test
    void commandsEndWithTheirLine() {
        assertEquals(
                List.of("!tables", "a\n!b;", "!quit"), SqlSplitter.split("!tables\na\n!b;\n!quit"));
    }

    @Test
    void whatIsNotClosedReachesToTheEnd() {
        assertEquals(List.of("a 'b;c"), SqlSplitter.split("a 'b;c"));
        assertEquals(List.of("a /* b;"), SqlSplitter.split("a /* b;"));
        assertEquals(List.of(), SqlSplitter.split(" \n"));
    }
}
