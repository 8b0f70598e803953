package io.weir.sql.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A stream's properties are those of its type, and the product asks for these alone. */
class StreamsTest {
    private static final Pattern BY_NAME =
            Pattern.compile("stream\\(\\)\\s*\\.equals\\(\"|\\(StreamType\\.PACKETS\\)");

    private static MapCatalog catalog() {
        MapCatalog catalog = new MapCatalog();
        List<String> texts =
                List.of(
                        "CREATE QUERY a AS SELECT window_end, COUNT(*) AS n FROM packets"
                                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)",
                        "CREATE QUERY b AS SELECT MAX(n) AS most FROM a",
                        "CREATE QUERY c AS SELECT src_addr, bytes FROM flows");
        for (String text : texts) {
            for (Statement statement : new SqlFrontend(catalog).parse(text)) {
                catalog.put(((Statement.CreateQuery) statement).query());
            }
        }
        return catalog;
    }

    private static StreamType reads(String query) {
        return catalog().find(query).map(Query::reads).orElseThrow();
    }

    @Test
    void scansCarryTheTypeOfTheirStream() {
        assertEquals(StreamType.PACKETS, reads("a"));
        assertEquals(StreamType.ofQuery("a"), reads("b"));
        assertEquals(StreamType.PACKETS, reads("c"), "flows are made of packets");
    }

    @Test
    void aTypeSaysWhatItsStreamIs() {
        StreamType packets = reads("a");
        assertTrue(packets.comesAsGpvs() && packets.isSpread() && !packets.isOfQuery());
        assertEquals(StreamType.Access.TRAFFIC, packets.access());
        StreamType rows = reads("b");
        assertFalse(rows.comesAsGpvs() || rows.isSpread());
        assertTrue(rows.isOfQuery());
        assertEquals(StreamType.Access.RESULTS, rows.access());
    }

    @Test
    void streamsThatAreThereWithoutAQueryHaveTheirWords() {
        Streams streams = new Streams(catalog());
        assertEquals(List.of("packets", "flows", "a", "b", "c"), streams.names());
        assertTrue(Streams.isBuiltIn("flows") && !Streams.isBuiltIn("a"));
        assertEquals("a row for each IP packet", Streams.about("packets"));
        assertEquals("of the flow's packets", Streams.about("flows", "bytes"));
        assertEquals("the rows of the query", Streams.about("a"));
        assertEquals("", Streams.about("a", "n"));
    }

    /** Code that asks for a stream's name has to be changed for each new stream. */
    @Test
    void nothingAsksForAStreamsName() throws IOException {
        List<String> asking = new ArrayList<>();
        for (String module : List.of("operators", "sql-frontend", "native-ingest", "cluster")) {
            Path sources = Path.of("..", "..", module);
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(f -> f.toString().matches(".*/src/main/java/.*[.]java"))
                                .toList()) {
                    if (BY_NAME.matcher(Files.readString(file)).find()) {
                        asking.add(file.toString());
                    }
                }
            }
        }
        assertEquals(List.of(), asking);
    }
}
