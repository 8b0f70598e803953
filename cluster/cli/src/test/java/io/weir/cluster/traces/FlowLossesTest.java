package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lost bytes of {@code flows} are those that tshark sees sent again, in real captures. The
 * answers are made by {@code src/test/tshark/retransmissions.sh}. Flows with another event of
 * tshark's (out of order, lost segment, keep-alive, reused ports) are left out: tshark then does
 * not call each segment that was sent twice a retransmission.
 */
final class FlowLossesTest {
    private static final String SQL =
            """
            CREATE QUERY losses AS
            SELECT src_addr, dst_addr, src_port, dst_port, lost_bytes FROM flows WHERE proto = 6;
            """;

    /** The capture lacks bytes between the segments, which makes the losses smaller. */
    private static final String LACKS_BYTES = "zeek__qi_internet_SYNACK_curl_jsonip.pcap";

    private static final int LEAST_FLOWS = 90;

    /** The bytes that were sent again; empty if tshark saw something else, too. */
    private record Answer(Optional<String> bytes) {}

    @TempDir private Path scratch;

    private static Map<String, Map<String, Answer>> answers() throws IOException {
        Map<String, Map<String, Answer>> answers = new TreeMap<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                FlowLossesTest.class.getResourceAsStream("retransmissions.csv"),
                                StandardCharsets.UTF_8))) {
            for (String line : lines.lines().skip(1).toList()) {
                String[] cells = line.split(",", -1);
                String flow = String.join(",", List.of(cells).subList(1, 5));
                Optional<String> bytes = Optional.of(cells[6]).filter(b -> cells[7].equals("0"));
                answers.computeIfAbsent(cells[0], c -> new HashMap<>())
                        .put(flow, new Answer(bytes));
            }
        }
        return answers;
    }

    @Test
    void lostBytesAreTsharksRetransmissions() throws IOException {
        Optional<Traces> traces = Traces.find();
        assumeTrue(traces.isPresent(), "the shared captures are not here: skipped");
        int compared = 0;
        for (Map.Entry<String, Map<String, Answer>> capture : answers().entrySet()) {
            Path file = traces.get().file(capture.getKey());
            if (capture.getKey().endsWith(LACKS_BYTES)) {
                continue;
            }
            CommandRun run = CommandRun.of(SQL, file, scratch);
            for (String row :
                    run.lines(
                            "losses",
                            "src_addr",
                            "dst_addr",
                            "src_port",
                            "dst_port",
                            "lost_bytes")) {
                int last = row.lastIndexOf(',');
                Answer none = new Answer(Optional.of("0"));
                Answer answer = capture.getValue().getOrDefault(row.substring(0, last), none);
                if (answer.bytes().isPresent()) {
                    String where = capture.getKey() + ": " + row;
                    assertEquals(answer.bytes().get(), row.substring(last + 1), where);
                    compared += answer.equals(none) ? 0 : 1;
                }
            }
        }
        assertTrue(compared >= LEAST_FLOWS, "only " + compared);
    }
}
