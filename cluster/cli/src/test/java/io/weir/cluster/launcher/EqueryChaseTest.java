package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edison's chase of a packet loss between two nodes, as printed. */
class EqueryChaseTest {
    private static final String FLOW =
            "src_addr=10.0.0.1, dst_addr=10.0.0.2, src_port=22, dst_port=33, protocol=TCP, ";
    private static final String CHASE =
            """
            q1: select ploss_byte where %snode_id=Node1;
            q2: select total_byte where %snode_id=Node1 when q1.ploss_byte > K1;
            q3: select total_byte where %snode_id=Node2 when q2.total_byte < K2;
            q4: select tcp_win where %snode_id=Node2 when q3.total_byte < K3;
            """
                    .replace("%s", FLOW);

    private static final int SEGMENT = 500;
    private static final long EVERY_NS = 10_000_000;
    private static final int SECONDS = 20;

    /** From here on the sender repeats every fourth segment. */
    private static final int LOSS_FROM = 3;

    /** Sequence numbers wrap soon after the first segment. */
    private static final long FIRST_SEQ = (1L << 32) - 3 * SEGMENT;

    /** Node 1 sees all packets. Node 2 does not get the first copies of repeated ones. */
    private static PcapFile seen(boolean atSender) {
        PcapFile file = new PcapFile();
        long seq = FIRST_SEQ;
        for (int i = 0; i < SECONDS * 100; i++) {
            long atNs = i * EVERY_NS;
            boolean isLost = atNs >= LOSS_FROM * 1_000_000_000L && i % 4 == 0;
            if (atSender || !isLost) {
                file.segment(atNs, 0x0a000001, 0x0a000002, seq, i, SEGMENT);
            }
            if (isLost) {
                file.segment(atNs + 1_000_000, 0x0a000001, 0x0a000002, seq, i, SEGMENT);
            }
            seq = seq + SEGMENT & 0xffff_ffffL;
        }
        return file;
    }

    private static Cli.Result run(Path folder, String text, String flag, String... more)
            throws Exception {
        Path one = seen(true).write(folder.resolve("one.pcap"));
        Path two = seen(false).write(folder.resolve("two.pcap"));
        Path file = Files.writeString(folder.resolve("text"), text);
        List<String> arguments =
                new ArrayList<>(List.of("run", flag, file.toString(), "--format", "csv", "--pcap"));
        arguments.addAll(List.of("tap1=" + one, "tap2=" + two));
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray(String[]::new));
    }

    private static final String[] PARAMETERS = {
        "--set",
        "Node1=tap1",
        "--set",
        "Node2=tap2",
        "--set",
        "K1=5000",
        "--set",
        "K2=1000000",
        "--set",
        "K3=1000000",
        "--query",
        "q4"
    };

    @Test
    void theLastStepSeesTheWindowAtTheOtherNode(@TempDir Path folder) throws Exception {
        Cli.Result result = run(folder, CHASE, "--equery", PARAMETERS);
        assertEquals(0, result.code(), result.err());
        List<String> wakes = result.err().lines().filter(line -> line.contains(" wakes ")).toList();
        assertEquals(3, wakes.size(), result.err());
        // 5,000 bytes are 10 segments, and every fourth is repeated from second 3 on: in that one.
        assertTrue(wakes.get(0).startsWith("WHEN: q1 of the window to 2026-11-20T23:40:04"));
        assertTrue(wakes.get(1).contains("q2 of the window to "), result.err());
        assertTrue(wakes.get(2).contains(" wakes q4"), result.err());
        assertEquals(
                List.of("tcp_window", String.valueOf(SECONDS * 100 - 1)),
                result.out().lines().toList());
    }

    /** All that was sent again, whatever its order and though the numbers wrap. */
    @Test
    void bytesThatWereSentAgainAreLost(@TempDir Path folder) throws Exception {
        String sql =
                "SELECT node_id, lost_packets, lost_bytes, tcp_seq FROM flows ORDER BY node_id";
        Cli.Result result = run(folder, sql, "--sql");
        assertEquals(0, result.code(), result.err());
        int lost = (SECONDS - LOSS_FROM) * 25;
        long last = FIRST_SEQ + (SECONDS * 100L - 1) * SEGMENT & 0xffff_ffffL;
        assertEquals(
                List.of(
                        "node_id,lost_packets,lost_bytes,tcp_seq",
                        "tap1," + lost + "," + lost * SEGMENT + "," + last,
                        "tap2,0,0," + last),
                result.out().lines().toList());
    }
}
