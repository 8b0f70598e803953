package io.weir.cluster.format;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An Apicurio Registry, which keeps its schemas in a Kafka, and Confluent's client for Python that
 * reads rows with them: what .ci/registry has fetched.
 */
public final class RealRegistry implements AutoCloseable {
    private static final Path THERE = Path.of("../../target/registry").toAbsolutePath().normalize();
    private static final String TYPE = "application/vnd.schemaregistry.v1+json";

    private final HttpClient client = HttpClient.newHttpClient();
    private final String kafka;
    private final Path log;
    private final int port = EmbeddedBroker.freePort();
    private Process process;

    /** Answers when the constructor returns. */
    public RealRegistry(String kafka, Path directory) throws Exception {
        this.kafka = kafka;
        this.log = directory.resolve("registry.log");
        start();
    }

    public static boolean isThere() {
        return Files.exists(THERE.resolve("made"));
    }

    private void start() throws Exception {
        ProcessBuilder command =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                "apicurio-registry-app-3.0.9-runner.jar")
                        .directory(THERE.resolve("app").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        command.environment()
                .putAll(
                        Map.of(
                                "QUARKUS_HTTP_HOST",
                                "127.0.0.1",
                                "QUARKUS_HTTP_PORT",
                                Integer.toString(port),
                                "APICURIO_STORAGE_KIND",
                                "kafkasql",
                                "APICURIO_KAFKASQL_BOOTSTRAP_SERVERS",
                                kafka));
        process = command.start();
        Await.until(() -> !process.isAlive() || isUp(), () -> Files.readString(log));
        if (!process.isAlive()) {
            throw new AssertionError("no registry: " + Files.readString(log));
        }
    }

    private boolean isUp() throws Exception {
        return ask("GET", "subjects", "").isPresent();
    }

    /** Its answer to a request that it grants. */
    private Optional<String> ask(String method, String path, String body) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + "/" + path))
                        .header("Content-Type", TYPE)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try {
            var answer = client.send(request, BodyHandlers.ofString());
            return Optional.of(answer.body()).filter(b -> answer.statusCode() == 200);
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private String url() {
        return "http://127.0.0.1:" + port + "/apis/ccompat/v7";
    }

    /** The rule for all subjects: what may follow a schema. */
    public void compatibility(String rule) throws Exception {
        var unused = ask("PUT", "config", "{\"compatibility\":\"" + rule + "\"}").orElseThrow();
    }

    /** How many versions of a subject there are. */
    public int versions(String subject) throws Exception {
        return ask("GET", "subjects/" + subject + "/versions", "").orElseThrow().split(",").length;
    }

    public Optional<SchemaRegistry> client() {
        return Optional.of(new SchemaRegistry(url(), Optional.empty()));
    }

    /** What Confluent's client makes of a topic's rows: lines of read_rows.py. */
    public List<String> rows(String topic) throws Exception {
        Path rows = Files.createTempFile(log.getParent(), "rows", ".txt");
        Process reader =
                new ProcessBuilder(
                                THERE.resolve("python/bin/python").toString(),
                                "../broker/src/test/python/read_rows.py",
                                kafka,
                                url(),
                                topic)
                        .redirectOutput(rows.toFile())
                        .start();
        String problem = new String(reader.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!reader.waitFor(60, TimeUnit.SECONDS) || reader.exitValue() != 0) {
            reader.destroyForcibly();
            throw new AssertionError("read_rows.py: " + problem);
        }
        return Files.readAllLines(rows);
    }

    /** It is away from then on. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
