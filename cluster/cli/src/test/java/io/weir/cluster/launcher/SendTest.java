package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options of {@code weir send}. */
class SendTest {
    private static final Path DEMO = Path.of("..", "..", "demo", "capture.pcap");

    @Test
    void impossibleOptionsAreErrors() {
        String pcap = "pcap:" + DEMO;
        String[][] wrong = {
            {"--speed", "0"},
            {"--speed", "1", "--packets-per-second", "5"},
            {"--packets", "0"},
            {"--datagram", "10"},
            {"--layout", "flow33"},
            {"--to", "127.0.0.1:0"},
        };
        for (String[] options : wrong) {
            List<String> command = new ArrayList<>(List.of("send", "--source", pcap));
            if (!options[0].equals("--to")) {
                command.addAll(List.of("--to", "127.0.0.1:9"));
            }
            command.addAll(List.of(options));
            Cli.Result result = Cli.run(command.toArray(String[]::new));
            assertEquals(2, result.code(), result.err());
            assertTrue(
                    result.err().startsWith("error INVALID_OPTION: " + options[0]), result.err());
        }
    }
}
