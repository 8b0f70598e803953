package io.weir.cluster.faults;

import io.weir.cluster.demo.Loopback;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.demo.Processes.Started;
import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.cluster.kafka.KafkaSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Brokers, servers and workers as processes, which faults may be done to; what is done to workers
 * is kept as {@link Life}s. One thread. Closing ends them all, frozen ones too.
 */
final class FaultCluster implements AutoCloseable {
    private static final List<String> BROKER = List.of("-Xmx256m", Processes.QUICK_COMPILER);
    private static final List<String> SERVER = List.of("-Xmx192m", Processes.QUICK_COMPILER);
    private static final List<String> WORKER = List.of("-Xmx128m", Processes.QUICK_COMPILER);
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int LATENESS_MS = 300;
    private static final int TIMEOUT_MS = 300;

    /** From the end of a worker's window until no packet of before it can come. */
    static final long DELAY_NS = (LATENESS_MS + TIMEOUT_MS) * 1_000_000L;

    private static final long LONGEST_END_S = 90;

    private final Path directory;
    private final Path capture;
    private final String host;
    private final Processes processes;
    private final List<Integer> ports;
    private final Started[] brokers;
    private final List<Life> lives = new ArrayList<>();
    private final Set<Started> frozen = new HashSet<>();
    private Optional<Path> launcher = Optional.empty();
    private int started;

    /**
     * @param directory for logs, outboxes and Kafka's files
     * @param host that brokers listen on
     */
    FaultCluster(Path directory, Path capture, String host, int brokers) {
        this.directory = directory;
        this.capture = capture;
        this.host = host;
        this.processes = new Processes(directory);
        this.brokers = new Started[brokers];
        this.ports = Loopback.freePorts(2 * brokers);
    }

    KafkaSettings kafka() {
        return KafkaSettings.of(bootstrap());
    }

    private String bootstrap() {
        return ports.subList(0, brokers.length).stream()
                .map(port -> host + ":" + port)
                .collect(Collectors.joining(","));
    }

    Path directory() {
        return directory;
    }

    int brokers() {
        return brokers.length;
    }

    List<Life> lives() {
        return lives;
    }

    /** The process that is a node's worker now. */
    Life life(String node) {
        return lives.stream()
                .filter(life -> life.node().equals(node))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    /** Servers and workers that are started from now on are of this release; empty: of our own. */
    void startsBy(Optional<Path> release) {
        launcher = release;
    }

    private Started start(
            String kind, Surroundings where, List<String> jvm, List<String> arguments) {
        String[] command = arguments.toArray(new String[0]);
        return launcher.isEmpty()
                ? processes.start(name(kind), where, jvm, command)
                : processes.startBy(launcher.get(), name(kind), where, jvm, command);
    }

    private String name(String kind) {
        return kind + "." + ++started;
    }

    /** Starts all brokers that do not run, and waits for them. */
    void startBrokers() throws InterruptedException {
        List<Started> fresh = new ArrayList<>();
        for (int i = 0; i < brokers.length; i++) {
            if (brokers[i] == null || !brokers[i].process().isAlive()) {
                brokers[i] = broker(i);
                fresh.add(brokers[i]);
            }
        }
        for (Started broker : fresh) {
            broker.await("listens on");
        }
    }

    private Started broker(int index) {
        String controllers =
                IntStream.range(0, brokers.length)
                        .mapToObj(i -> (i + 1) + "@" + host + ":" + ports.get(brokers.length + i))
                        .collect(Collectors.joining(","));
        return processes.start(
                name("broker-" + (index + 1)),
                BROKER,
                "broker",
                "--id",
                Integer.toString(index + 1),
                "--host",
                host,
                "--port",
                ports.get(index).toString(),
                "--controllers",
                controllers,
                "--directory",
                directory.resolve("kafka-" + (index + 1)).toString());
    }

    /** Kills a broker, by its number from 0. */
    void killBroker(int index) throws InterruptedException {
        kill(brokers[index]);
    }

    /** Stops all brokers in order, as an operator would. */
    void stopBrokers() throws InterruptedException {
        for (Started broker : brokers) {
            broker.process().destroy();
        }
        for (Started broker : brokers) {
            if (!broker.process().waitFor(LONGEST_END_S, TimeUnit.SECONDS)) {
                kill(broker); // a broker whose controllers are gone waits for them
            }
        }
    }

    /** They do nothing any more; the machine goes on taking connections for them. */
    void freezeBrokers() {
        for (Started broker : brokers) {
            freeze(broker);
        }
    }

    void thawBrokers() {
        for (Started broker : brokers) {
            thaw(broker);
        }
    }

    Server server() throws InterruptedException {
        List<String> command = List.of("server", "--kafka", bootstrap(), "--port", "0");
        return new Server(start("server", Surroundings.NONE, SERVER, command));
    }

    /** Starts a worker whose first packet has the time when it is ready. */
    Life worker(String node, Path outbox, Surroundings where, String... more)
            throws InterruptedException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "worker",
                                "--kafka",
                                bootstrap(),
                                "--node-id",
                                node,
                                "--pcap",
                                capture.toString(),
                                "--repeat",
                                "--idle",
                                "park",
                                "--lateness",
                                LATENESS_MS + "ms",
                                "--timeout",
                                TIMEOUT_MS + "ms",
                                "--begin",
                                "now",
                                "--outbox",
                                outbox.toString()));
        arguments.addAll(List.of(more));
        Life life = new Life(node, outbox, start("worker-" + node, where, WORKER, arguments));
        lives.add(life);
        return life;
    }

    Life worker(String node) throws InterruptedException {
        return worker(node, outbox(node), Surroundings.NONE);
    }

    Path outbox(String node) {
        return directory.resolve("outbox-" + node);
    }

    /** As it is without warning. */
    void kill(Started process) throws InterruptedException {
        process.process().destroyForcibly();
        process.process().waitFor();
    }

    /** It does nothing any more, and does not know. */
    void freeze(Started process) {
        Shell.signal("STOP", process.process().pid());
        frozen.add(process);
    }

    void thaw(Started process) {
        Shell.signal("CONT", process.process().pid());
        frozen.remove(process);
    }

    /** Asks it to end; returns its exit code, or empty when it did not. */
    Optional<Integer> end(Started process) throws InterruptedException {
        process.process().destroy();
        return process.process().waitFor(LONGEST_END_S, TimeUnit.SECONDS)
                ? Optional.of(process.process().exitValue())
                : Optional.empty();
    }

    static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * SECOND_NS + now.getNano();
    }

    @Override
    public void close() {
        List.copyOf(frozen).stream().filter(one -> one.process().isAlive()).forEach(this::thaw);
        processes.close();
    }
}
