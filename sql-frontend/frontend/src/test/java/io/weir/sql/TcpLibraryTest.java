package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.library.QueryLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The library's queries about TCP's flags, order and connections: definitions and edges. */
class TcpLibraryTest {
    private static final String CLIENT = "10.0.0.1";
    private static final String SERVER = "10.0.0.9";
    private static final int FIN = 1;
    private static final int SYN = 2;
    private static final int RST = 4;
    private static final int ACK = 16;
    private static final int SYN_ACK = 18;
    private static final int SYN_ECE_CWR = 0xC2;

    private final Packets packets = new Packets();

    private static List<Query> queries(String name, Map<String, String> set) {
        List<Query> queries = new ArrayList<>();
        QueryLibrary.load()
                .find(name)
                .parse(new SqlFrontend(new MapCatalog()), set)
                .forEach(s -> queries.add(((Statement.CreateQuery) s).query()));
        return queries;
    }

    private List<String> rows(String name, String... set) {
        Map<String, String> values = set.length == 0 ? Map.of() : Map.of(set[0], set[1]);
        List<Query> queries = queries(name, values);
        return queries.size() == 1
                ? packets.rows(queries.get(0))
                : packets.rows(queries.get(0), queries.get(1));
    }

    /** A segment from the client's port 1000 to the server's 80. */
    private TcpLibraryTest segment(long timeMs, int flags, long seq, int payload) {
        packets.add(
                timeMs,
                CLIENT,
                SERVER,
                "proto",
                6,
                "src_port",
                1000,
                "dst_port",
                80,
                "tcp_flags",
                flags,
                "tcp_seq",
                seq,
                "payload_bytes",
                payload);
        return this;
    }

    private TcpLibraryTest flags(long timeMs, String src, String dst, int port, int flags) {
        packets.add(timeMs, src, dst, "proto", 6, "src_port", port, "tcp_flags", flags);
        return this;
    }

    private static String flow(Object... more) {
        StringBuilder row = new StringBuilder("[10.0.0.1, 10.0.0.9, 6, 1000, 80");
        for (Object value : more) {
            row.append(", ").append(value);
        }
        return row.append(']').toString();
    }

    @Test
    void synAndFinTakeANumberAndNumbersWrap() {
        long last = 0xFFFF_FFFFL;
        segment(0, SYN, last - 10, 0).segment(1, ACK, last - 9, 10).segment(2, ACK | FIN, 0, 5);
        segment(3, ACK, 6, 0);
        assertEquals(List.of(flow(4, 0)), rows("tcp_out_of_sequence", "TH", "0"));
        assertEquals(List.of(), rows("tcp_out_of_sequence"));
        assertEquals(
                List.of(flow(4, 2)), rows("tcp_non_monotonic"), "plain numbers: a wrap counts");
    }

    @Test
    void aHoleCountsWhenItOpensAndWhenItCloses() {
        segment(0, ACK, 100, 10).segment(1, ACK, 120, 10).segment(2, ACK, 110, 10);
        segment(3, ACK, 130, 10);
        assertEquals(List.of(flow(4, 3)), rows("tcp_out_of_sequence"));
        assertEquals(List.of(flow(4, 1)), rows("tcp_non_monotonic"));
    }

    @Test
    void nonMonotonicComparesWithTheMaximum() {
        segment(0, ACK, 100, 0).segment(1, ACK, 50, 0).segment(2, ACK, 60, 0);
        segment(3, ACK, 100, 0);
        assertEquals(List.of(flow(4, 2)), rows("tcp_non_monotonic"));
    }

    @Test
    void laterFragmentsHaveNoSequenceNumber() {
        segment(0, ACK, 100, 10);
        packets.add(1, CLIENT, SERVER, "proto", 6, "fragment_offset", 185);
        packets.add(2, CLIENT, SERVER, "proto", 17, "tcp_seq", 5);
        assertEquals(List.of(flow(1, 0)), rows("tcp_out_of_sequence", "TH", "0"));
    }

    @Test
    void timeoutsArePausesOfOver200AndAtMost320Milliseconds() {
        segment(0, ACK, 1, 0).segment(200, ACK, 1, 0).segment(401, ACK, 1, 0);
        segment(721, ACK, 1, 0).segment(1_042, ACK, 1, 0);
        assertEquals(List.of(flow(2)), rows("tcp_timeouts"));
    }

    @Test
    void aPauseBeginsAFlowlet() {
        segment(0, ACK, 1, 0).segment(50, ACK, 1, 0).segment(101, ACK, 1, 0);
        assertEquals(List.of(flow(3, 2, 1.5)), rows("flowlets"));
    }

    @Test
    void synFloodAddsOppositeDirections() {
        flags(0, CLIENT, SERVER, 1, SYN).flags(1, CLIENT, SERVER, 2, SYN_ECE_CWR);
        flags(2, SERVER, CLIENT, 1, SYN_ACK).flags(3, CLIENT, SERVER, 1, ACK);
        flags(4, CLIENT, SERVER, 1, ACK | 8).flags(5, SERVER, CLIENT, 1, FIN | ACK);
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 2, 1, 1, 2]"), rows("syn_flood", "TH", "2"));
        assertEquals(List.of(), rows("syn_flood"));
        flags(6, "2001:db8::1", "2001:db8::9", 1, ACK);
        assertEquals(
                List.of(
                        "[0, 1000000000, 10.0.0.9, 2, 1, 1, 2]",
                        "[0, 1000000000, 2001:db8::9, 0, 0, 1, -1]"),
                rows("syn_flood", "TH", "-9"));
    }

    @Test
    void aHandshakeIsCompletedOnce() {
        flags(0, CLIENT, SERVER, 1, SYN).flags(1, CLIENT, SERVER, 2, SYN);
        flags(2, CLIENT, SERVER, 3, SYN).flags(3, CLIENT, SERVER, 1, ACK);
        flags(4, CLIENT, SERVER, 1, ACK | 8).flags(5, CLIENT, SERVER, 2, RST | ACK);
        flags(6, SERVER, CLIENT, 1, SYN_ACK);
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 3, 1]"),
                rows("syn_flood_handshakes", "TH", "1"));
        assertEquals(List.of(), rows("syn_flood_handshakes", "TH", "2"));
    }

    @Test
    void completedFlowsAreSynsLessFins() {
        flags(0, CLIENT, SERVER, 1, SYN).flags(1, CLIENT, SERVER, 2, SYN);
        flags(2, SERVER, CLIENT, 1, FIN | ACK).flags(3, CLIENT, SERVER, 1, FIN | ACK);
        flags(4, CLIENT, "10.0.0.8", 1, SYN | FIN);
        assertEquals(
                List.of("[0, 30000000000, 10.0.0.8, 1]", "[0, 30000000000, 10.0.0.9, 1]"),
                rows("completed_flows"));
    }

    @Test
    void halfOpenIsASynThatTheClientNeverAcknowledged() {
        flags(0, CLIENT, SERVER, 1, SYN).flags(1, SERVER, CLIENT, 1, SYN_ACK);
        flags(2, CLIENT, SERVER, 2, SYN).flags(3, CLIENT, SERVER, 2, ACK);
        flags(4, CLIENT, SERVER, 3, RST);
        assertEquals(List.of("[10.0.0.1, 10.0.0.9, 1, 0, 1]"), rows("half_open_connections"));
    }

    @Test
    void synFinIsInThatOrder() {
        segment(0, FIN | ACK, 1, 0).segment(5, SYN, 1, 0);
        assertEquals(List.of(), rows("syn_fin_flows"));
        segment(9, FIN | ACK, 1, 0);
        assertEquals(List.of("[10.0.0.1, 10.0.0.9, 1000, 80, 4000000]"), rows("syn_fin_flows"));
    }

    @Test
    void slowlorisIsManySmallConnections() {
        for (int port = 0; port < 5; port++) {
            flags(port, CLIENT, SERVER, port, ACK);
        }
        assertEquals(List.of("[0, 1000000000, 10.0.0.9, 500, 5]"), rows("slowloris", "TH", "100"));
        assertEquals(List.of(), rows("slowloris", "TH", "99"));
        flags(6, "10.0.0.2", SERVER, 4, ACK);
        assertEquals(
                List.of("[0, 1000000000, 10.0.0.9, 600, 6]"),
                rows("slowloris", "TH", "100"),
                "a port of another host is another connection");
    }

    @Test
    void slowConnectionsAreJudgedOneByOne() {
        for (int port = 0; port < 3; port++) {
            flags(port, CLIENT, SERVER, port, ACK).flags(9_000, CLIENT, SERVER, port, ACK);
        }
        packets.add(9, CLIENT, SERVER, "proto", 6, "src_port", 2, "bytes", 1_801);
        assertEquals(List.of("[0, 10.0.0.9, 2, 400]"), rows("slow_connections", "TH", "2"));
        assertEquals(List.of(), rows("slow_connections", "TH", "3"));
    }

    @Test
    void sshConnectionsOfOneSize() {
        for (int port = 0; port < 3; port++) {
            packets.add(
                    port,
                    CLIENT,
                    SERVER,
                    "proto",
                    6,
                    "src_port",
                    port,
                    "dst_port",
                    22,
                    "bytes",
                    60);
            packets.add(11_000, CLIENT, SERVER, "proto", 6, "src_port", port, "dst_port", 22);
        }
        packets.add(5, CLIENT, SERVER, "proto", 6, "src_port", 2, "dst_port", 22, "bytes", 9);
        assertEquals(
                List.of("[0, 10.0.0.9, 60, 2]", "[10000000000, 10.0.0.9, 100, 3]"),
                rows("ssh_connection_sizes", "TH", "2"));
    }
}
