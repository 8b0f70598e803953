package io.weir.cluster.metrics;

import io.weir.cluster.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Prometheus of Debian's package, which scrapes twice a second. */
final class RealPrometheus implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
    private static final Pattern VALUE = Pattern.compile("\"value\":\\[[0-9.]+,\"([^\"]+)\"\\]");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final int port;
    private final Path log;

    private RealPrometheus(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    static boolean isThere() {
        return Files.isExecutable(PROGRAM);
    }

    /**
     * @param jobs of scrape_configs
     */
    static RealPrometheus start(Path directory, String jobs) throws IOException {
        Path config = directory.resolve("prometheus.yml");
        String global = "global: {scrape_interval: 500ms, scrape_timeout: 400ms}\n";
        Files.writeString(config, global + "scrape_configs:\n" + jobs);
        Path log = directory.resolve("prometheus.log");
        int port = EmbeddedBroker.freePort();
        Process process =
                new ProcessBuilder(
                                PROGRAM.toString(),
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + directory.resolve("prometheus"),
                                "--web.listen-address=127.0.0.1:" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return new RealPrometheus(process, port, log);
    }

    /** Its answer of now, in JSON; empty while it is not there. */
    String answer(String promQl) throws InterruptedException {
        String encoded = URLEncoder.encode(promQl, StandardCharsets.UTF_8);
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + encoded);
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        } catch (IOException notYet) {
            return "";
        }
    }

    /** The values of an instant vector, as Prometheus orders it; none while it is not there. */
    List<Double> values(String promQl) throws InterruptedException {
        List<Double> values = new ArrayList<>();
        Matcher value = VALUE.matcher(answer(promQl));
        while (value.find()) {
            values.add(Double.parseDouble(value.group(1)));
        }
        return values;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
