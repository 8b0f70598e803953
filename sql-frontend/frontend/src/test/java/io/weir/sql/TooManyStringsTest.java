package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TooManyStringsTest {
    /** Longer lists are tables, whose strings do not count. */
    private static final int OF_LIST = 50;

    private static Query nodes(int count) {
        String lists =
                IntStream.iterate(0, from -> from < count, from -> from + OF_LIST)
                        .mapToObj(from -> in(from, Math.min(from + OF_LIST, count)))
                        .collect(Collectors.joining(" OR "));
        String sql = "CREATE QUERY q AS SELECT COUNT(*) AS packets\nFROM packets WHERE " + lists;
        Statement made = new SqlFrontend(new MapCatalog()).parse(sql).get(0);
        return ((Statement.CreateQuery) made).query();
    }

    private static String in(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(n -> "'n" + n + "'")
                .collect(Collectors.joining(", ", "node_id IN (", ")"));
    }

    /** The caret is at the first string too many. */
    @Test
    void theErrorHasThePlaceOfTheString() {
        List<GpvLayout> layouts = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        QueryCompiler.check(nodes(Query.MOST_STRINGS), layouts);
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () -> QueryCompiler.check(nodes(Query.MOST_STRINGS + 1), layouts));
        assertEquals(ErrorCode.TOO_MANY_STRINGS, refused.code());
        WeirException.Place place = refused.place().orElseThrow();
        assertEquals(2, place.line());
        String[] excerpt = place.excerpt().split("\n");
        int caret = excerpt[1].indexOf('^');
        assertTrue(excerpt[0].substring(caret).startsWith("'n1000'"), place.excerpt());
        assertEquals("split it over several queries", refused.hint().orElseThrow());
    }
}
