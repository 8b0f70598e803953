package io.weir.ingest.traces;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Asks tshark for the fields of a capture's frames. */
public final class Tshark {
    private static final List<String> OFF =
            List.of(
                    "ip.defragment",
                    "ipv6.defragment",
                    "wlan.defragment",
                    "tcp.desegment_tcp_streams",
                    "tcp.analyze_sequence_numbers");

    private Tshark() {}

    /** Skips the test if tshark is not installed. */
    public static void assumeThere() {
        boolean there =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark")));
        Assumptions.assumeTrue(there, "tshark is not installed (apt-get install tshark)");
    }

    /** Returns the fields of each frame; empty texts of those that it does not have. */
    public static List<Map<String, String>> fields(Path capture, List<String> fields)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        OFF.forEach(option -> command.addAll(List.of("-o", option + ":FALSE")));
        command.addAll(List.of("-T", "fields", "-E", "separator=/t", "-E", "occurrence=f"));
        fields.forEach(field -> command.addAll(List.of("-e", field)));
        Path output = Files.createTempFile(capture.toAbsolutePath().getParent(), "tshark", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException("tshark failed: " + String.join(" ", command));
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .map(line -> frame(fields, line.split("\t", -1)))
                .toList();
    }

    private static Map<String, String> frame(List<String> fields, String[] values) {
        Map<String, String> frame = new HashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            frame.put(fields.get(i), i < values.length ? values[i] : "");
        }
        return frame;
    }

    /** Returns a field's number, decimal or hexadecimal; 0 of an empty one. */
    public static long number(String text) {
        return text.isEmpty() ? 0 : Long.decode(text);
    }
}
