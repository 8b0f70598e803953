package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each query's definition and its edges, on packets made for it. */
class QueryLibraryTest {
    private static final QueryLibrary LIBRARY = QueryLibrary.load();
    private static final int SYN = 2;
    private static final int SYN_ACK = 18;
    private static final int SYN_ECE_CWR = 0xC2;

    private static Query query(String name, Map<String, String> set) {
        List<Statement> statements =
                LIBRARY.find(name).parse(new SqlFrontend(new MapCatalog()), set);
        return ((Statement.CreateQuery) statements.get(statements.size() - 1)).query();
    }

    /** Rows of a library query that reads the rows of another, its first statement. */
    private static List<String> rowsOfTwo(String name, Packets packets, Map<String, String> set) {
        List<Statement> statements =
                LIBRARY.find(name).parse(new SqlFrontend(new MapCatalog()), set);
        assertEquals(2, statements.size());
        return packets.rows(
                ((Statement.CreateQuery) statements.get(0)).query(),
                ((Statement.CreateQuery) statements.get(1)).query());
    }

    private static List<String> rows(String name, Packets packets, String threshold) {
        return packets.rows(query(name, Map.of("TH", threshold)));
    }

    @Test
    void everyQueryPlansWithItsDefaultsUnderItsName() {
        for (LibraryQuery entry : LIBRARY.all()) {
            boolean edison = entry.name().equals("edison_q1");
            Query query = query(entry.name(), edison ? Map.of("NodeX", "n1") : Map.of());
            assertEquals(edison ? "q1" : entry.name(), query.name());
            assertFalse(entry.about().isEmpty());
            assertFalse(entry.source().isEmpty());
        }
        assertEquals(49, LIBRARY.all().size());
    }

    @Test
    void packetsPerSource() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.2", "10.0.0.9", "bytes", 40)
                        .add(5_000, "10.0.0.1", "10.0.0.9", "bytes", 60)
                        .add(9_000, "10.0.0.2", "2001:db8::1", "bytes", 1)
                        .add(9_000, "2001:db8::2", "2001:db8::1", "bytes", 1_500);
        List<String> expected =
                List.of("[10.0.0.1, 1, 60]", "[10.0.0.2, 2, 41]", "[2001:db8::2, 1, 1500]");
        assertEquals(expected, packets.rows(query("packets_per_source", Map.of())));
        assertEquals(expected, packets.rows(query("traffic_by_src_addr", Map.of())));
    }

    @Test
    void trafficCountHasARowEvenOfNothing() {
        assertEquals(List.of("[0, null]"), new Packets().rows(query("traffic_count", Map.of())));
        Packets packets =
                new Packets().add(0, "10.0.0.1", "10.0.0.2").add(9_000, "::1", "::2", "bytes", 5);
        assertEquals(List.of("[2, 105]"), packets.rows(query("traffic_count", Map.of())));
    }

    @Test
    void heavyHitterIsOverTheThresholdByPairAndSecond() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "bytes", 60)
                        .add(10, "10.0.0.1", "10.0.0.9", "bytes", 40) // exactly 100: not over
                        .add(20, "10.0.0.9", "10.0.0.1", "bytes", 101) // the pair has a direction
                        .add(999, "10.0.0.2", "10.0.0.9", "bytes", 70)
                        .add(1_000, "10.0.0.2", "10.0.0.9", "bytes", 70); // another second
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 10.0.0.1, 101]"),
                rows("heavy_hitter", packets, "100"));
    }

    @Test
    void newConnectionsAreSynsWithoutAck() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "proto", 6, "tcp_flags", SYN)
                        .add(1, "10.0.0.1", "10.0.0.9", "proto", 6, "tcp_flags", SYN_ECE_CWR)
                        .add(2, "10.0.0.9", "10.0.0.1", "proto", 6, "tcp_flags", SYN_ACK)
                        .add(3, "10.0.0.9", "10.0.0.1", "proto", 6, "tcp_flags", SYN_ACK)
                        .add(4, "10.0.0.1", "10.0.0.8", "proto", 17, "tcp_flags", SYN)
                        .add(5, "10.0.0.1", "10.0.0.8", "proto", 17, "tcp_flags", SYN);
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 2]"), rows("new_tcp_connections", packets, "2"));
        assertEquals(List.of(), rows("new_tcp_connections", packets, "3"));
    }

    @Test
    void portScanCountsDistinctTcpPorts() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.8", "proto", 6, "dst_port", 80)
                        .add(1, "10.0.0.1", "10.0.0.9", "proto", 6, "dst_port", 80)
                        .add(2, "10.0.0.1", "10.0.0.9", "proto", 6, "dst_port", 81)
                        .add(3, "10.0.0.1", "10.0.0.9", "proto", 17, "dst_port", 82);
        assertEquals(List.of("[0, 1000000000, 10.0.0.1, 2]"), rows("port_scan", packets, "2"));
        assertEquals(List.of(), rows("port_scan", packets, "3"));
    }

    @Test
    void superspreaderAndDdosCountDistinctHosts() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.8")
                        .add(1, "10.0.0.1", "10.0.0.8")
                        .add(2, "10.0.0.1", "2001:db8::9", "proto", 17)
                        .add(3, "10.0.0.2", "10.0.0.8");
        assertEquals(List.of("[0, 1000000000, 10.0.0.1, 2]"), rows("superspreader", packets, "2"));
        assertEquals(List.of("[0, 1000000000, 10.0.0.8, 2]"), rows("ddos", packets, "2"));
        assertEquals(List.of(), rows("ddos", packets, "3"));
    }

    @Test
    void sshBruteForceCountsSourcesPerLength() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "proto", 6, "dst_port", 22, "bytes", 60)
                        .add(1, "10.0.0.1", "10.0.0.9", "proto", 6, "dst_port", 22, "bytes", 60)
                        .add(2, "10.0.0.2", "10.0.0.9", "proto", 6, "dst_port", 22, "bytes", 60)
                        .add(3, "10.0.0.3", "10.0.0.9", "proto", 6, "dst_port", 22, "bytes", 61)
                        .add(4, "10.0.0.4", "10.0.0.9", "proto", 6, "dst_port", 23, "bytes", 60)
                        .add(5, "10.0.0.5", "10.0.0.9", "proto", 17, "dst_port", 22, "bytes", 60);
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 60, 2]"), rows("ssh_brute_force", packets, "2"));
    }

    @Test
    void passthroughCountsEveryPacket() {
        assertEquals(List.of("[0]"), new Packets().rows(query("passthrough", Map.of())));
        Packets packets = new Packets().add(0, "10.0.0.1", "10.0.0.2").add(9_000, "::1", "::2");
        assertEquals(List.of("[2]"), packets.rows(query("passthrough", Map.of())));
    }

    @Test
    void heavyHittersByPacketsAndTheTopFive() {
        Packets packets = new Packets();
        for (int host = 1; host <= 7; host++) {
            for (int i = 0; i < host; i++) {
                packets.add(i, "10.0.0." + host, "10.0.1.1");
            }
        }
        packets.add(1_000, "10.0.0.9", "10.0.1.1");
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.7, 7, 700]"),
                rows("heavy_hitter_packets", packets, "6"));
        List<String> top = packets.rows(query("top_talkers", Map.of()));
        assertEquals(6, top.size());
        assertEquals("[0, 1000000000, 10.0.0.7, 7, 700]", top.get(0));
        assertEquals("[0, 1000000000, 10.0.0.3, 3, 300]", top.get(4));
        assertEquals("[1000000000, 2000000000, 10.0.0.9, 1, 100]", top.get(5));
    }

    @Test
    void entropyIsInBitsAndOfEachSecond() {
        Packets packets = new Packets();
        for (int host = 0; host < 8; host++) {
            packets.add(host, "10.0.0." + host, "10.0.1.1");
        }
        packets.add(1_000, "10.0.0.1", "10.0.1.1").add(1_001, "10.0.0.1", "10.0.1.1");
        assertEquals(
                List.of("[0, 8, 3.0]", "[1000000000, 2, 0.0]"),
                rowsOfTwo("source_entropy", packets, Map.of()));
    }

    @Test
    void connectionsAreDirected() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "src_port", 1)
                        .add(1, "10.0.0.1", "10.0.0.9", "src_port", 1)
                        .add(2, "10.0.0.9", "10.0.0.1", "dst_port", 1)
                        .add(3, "10.0.0.1", "10.0.0.9", "src_port", 1, "proto", 6);
        assertEquals(
                List.of("[0, 1000000000, 3]"),
                packets.rows(query("concurrent_connections", Map.of())));
        assertEquals(
                List.of("[10.0.0.1, 1]", "[10.0.0.9, 1]"),
                packets.rows(query("destinations_per_source", Map.of())));
    }

    @Test
    void queueDelays() {
        Packets packets = new Packets();
        for (int i = 0; i < 100; i++) {
            packets.add(i, "10.0.0.1", "10.0.0.9", "queue_id", 4, "queue_delay_ns", i);
        }
        packets.add(500, "10.0.0.1", "10.0.0.9", "queue_id", 5, "queue_delay_ns", 9);
        assertEquals(
                List.of("[0, 1000000000, 4, 2, 100]"),
                packets.rows(query("high_tail_latency", Map.of("DELAY", "97"))));
        Packets three =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "queue_delay_ns", 100)
                        .add(1, "10.0.0.1", "10.0.0.9", "queue_delay_ns", 200)
                        .add(2, "10.0.0.1", "10.0.0.9", "queue_delay_ns", 300);
        assertEquals(
                List.of("[10.0.0.1, 10.0.0.9, 0, 0, 0, 3, 225.0]"),
                three.rows(query("ewma_latency", Map.of("ALPHA", "0.5"))));
    }

    @Test
    void featuresOfAFlow() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "bytes", 40)
                        .add(7, "10.0.0.1", "10.0.0.9", "bytes", 60);
        assertEquals(
                List.of("[10.0.0.1, 10.0.0.9, 0, 0, 0, 2, 100, 7000000, 50.0, 60, 10.0]"),
                packets.rows(query("flow_features", Map.of())));
    }

    @Test
    void edisonCountsFlowsNotPacketsAtOneNode() {
        Packets packets =
                new Packets()
                        .add(0, "10.0.0.1", "10.0.0.9", "src_port", 1)
                        .add(1, "10.0.0.1", "10.0.0.9", "src_port", 1)
                        .add(2, "10.0.0.1", "10.0.0.9", "src_port", 2)
                        .add(3, "10.0.0.1", "10.0.0.9", "src_port", 3, "node_id", "elsewhere");
        assertEquals(
                List.of("[2, 10.0.0.9]"), packets.rows(query("edison_q1", Map.of("NodeX", "n1"))));
    }

    @Test
    void unknownNamesAreSuggested() {
        WeirException query = assertThrows(WeirException.class, () -> LIBRARY.find("port_scann"));
        assertEquals(
                "error UNKNOWN_QUERY: the library has no query port_scann\n"
                        + "hint: did you mean port_scan?",
                query.text());
        WeirException set =
                assertThrows(WeirException.class, () -> query("ddos", Map.of("TZ", "5")));
        assertEquals(ErrorCode.INVALID_OPTION, set.code());
        assertEquals("the text has no parameter TZ", set.getMessage());
        WeirException missing =
                assertThrows(WeirException.class, () -> query("edison_q1", Map.of()));
        assertEquals(ErrorCode.MISSING_PARAMETER, missing.code());
    }
}
