package io.weir.cluster.service;

import io.weir.cluster.broker.BrokerMeter;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.metrics.MetricsEndpoint;
import io.weir.cluster.node.CountedNode;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A whole cluster in this process, of the parts that the commands start: a broker, a SQL server
 * with the merge, and workers that replay a capture over and over; each with its page of metrics.
 */
public final class TinyCluster implements AutoCloseable {
    private static final String[] QUERIES = {
        "CREATE QUERY here AS SELECT dst_port, COUNT(*) AS n FROM packets WHERE"
                + " node_id = 'a' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_port",
        "CREATE QUERY everywhere AS SELECT COUNT(*) AS n FROM packets"
                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
    };

    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Path directory;
    private final EmbeddedBroker broker;
    private final ClusterNode node;
    private final MergeInstance merge;
    private final WeirServer server;
    private final Map<String, MetricsEndpoint> pages = new LinkedHashMap<>();
    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    public TinyCluster(Path directory, String... workers) throws IOException {
        this.directory = directory;
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "tiny");
        merge = new MergeInstance(KafkaSettings.of(broker.bootstrap()), node, failures::add);
        CountedNode counted = new CountedNode(node);
        server = new WeirServer(counted, ANY, WeirServer.IDLE).start();
        page("broker").add(new BrokerMeter(broker.settings().directory()));
        MetricsEndpoint page = page("server");
        page.add(node.meter());
        page.add(merge.meter());
        page.add(counted);
        page.add(server::read);
        Path capture = new PcapFile().random(7, 5_000).write(directory.resolve("tiny.pcap"));
        for (String worker : workers) {
            start(worker, capture);
        }
    }

    private MetricsEndpoint page(String name) {
        MetricsEndpoint page = new MetricsEndpoint(ANY, name.replaceAll("-.*", ""));
        pages.put(name, page);
        return page;
    }

    private void start(String name, Path capture) {
        ReplayOptions replay = new ReplayOptions(1, true, Optional.empty(), Duration.ofSeconds(60));
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                name, capture, replay, directory.resolve("outbox-" + name)),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        page("worker-" + name).add(worker.meter());
        workers.put(name, worker);
        Thread thread = new Thread(worker::run, "tiny-" + name);
        threads.add(thread);
        thread.start();
    }

    public KafkaSettings kafka() {
        return KafkaSettings.of(broker.bootstrap());
    }

    /** The server's part that speaks for the cluster. */
    public ClusterNode node() {
        return node;
    }

    public String url() {
        return server.url();
    }

    /** A query that is finished on worker {@code a}, {@code here}, and one that is merged. */
    public void createQueries() throws SQLException {
        execute(QUERIES);
    }

    public void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Pages: {@code broker}, {@code server}, {@code worker-NAME}. */
    public List<String> pages() {
        return List.copyOf(pages.keySet());
    }

    public int port(String page) {
        return pages.get(page).port();
    }

    /** What Prometheus gets of a page. */
    public String scrape(String page) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port(page) + "/metrics");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    /** The value of a series, as it is written; empty when there is none. */
    public Optional<Double> value(String page, String series)
            throws IOException, InterruptedException {
        return scrape(page)
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> Double.valueOf(line.substring(series.length() + 1)))
                .findFirst();
    }

    /** Waits until a series is as it should be. */
    public void await(String page, String series, Predicate<Double> wanted) {
        Await.until(
                () -> value(page, series).filter(wanted).isPresent(),
                () -> page + ": " + series + " in\n" + scrape(page) + failures);
    }

    public void stop(String worker) {
        workers.get(worker).stop();
    }

    /** Returns when they have sent all that they had. */
    public void stopWorkers() throws InterruptedException {
        workers.values().forEach(Worker::stop);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Override
    public void close() {
        workers.values().forEach(Worker::stop);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
        merge.close();
        node.close();
        broker.close();
        pages.values().forEach(MetricsEndpoint::close);
    }
}
