package io.weir.bench.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DPDK's own test program, which receives frames and looks at none (its mode rxonly). */
public final class Testpmd {
    public static final String NAME = "dpdk-testpmd";

    private static final Pattern RATE = Pattern.compile("Rx-pps:\\s+(\\d+)");
    private static final int SECONDS = 4;

    private Testpmd() {}

    /**
     * Runs it over a capture that net_pcap repeats.
     *
     * @param frames of the capture, which all lie in buffers
     * @return packets per second: the median of some seconds; empty if it is not installed
     */
    public static OptionalDouble rate(Path capture, long frames) throws IOException {
        List<String> command =
                List.of(
                        NAME,
                        "--no-huge",
                        "-m",
                        "512",
                        "--no-pci",
                        "--no-telemetry",
                        "--no-shconf",
                        "--vdev",
                        "net_pcap0,infinite_rx=1,rx_pcap=" + capture,
                        "--",
                        "--forward-mode=rxonly",
                        "--auto-start",
                        "--stats-period=1",
                        "--no-mlockall",
                        "--mbuf-size=384",
                        "--total-num-mbufs=" + (frames + 8192));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader said = process.inputReader(StandardCharsets.ISO_8859_1)) {
                return median(said); // it goes on as long as its input is open
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException absent) {
            System.err.println("no peer: " + NAME + " cannot be started");
            return OptionalDouble.empty();
        }
    }

    /** The first second is the start's. */
    private static OptionalDouble median(BufferedReader said) throws IOException {
        List<Double> rates = new ArrayList<>();
        String line = said.readLine();
        while (line != null && rates.size() <= SECONDS) {
            Matcher rate = RATE.matcher(line);
            if (rate.find()) {
                rates.add(Double.parseDouble(rate.group(1)));
            }
            line = said.readLine();
        }
        return rates.stream().skip(1).sorted().mapToDouble(r -> r).skip(SECONDS / 2).findFirst();
    }
}
