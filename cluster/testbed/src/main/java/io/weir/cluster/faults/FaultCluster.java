package io.weir.cluster.faults;

import io.weir.cluster.demo.Brokers;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.demo.Processes.Started;
import io.weir.cluster.demo.Processes.Surroundings;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Brokers, servers and workers as processes, for faults. The fate of workers is stored as {@link
 * Life}s. One thread. Closing ends them all, frozen ones too.
 */
final class FaultCluster implements AutoCloseable {
    private static final List<String> SERVER = List.of("-Xmx192m", Processes.QUICK_COMPILER);
    private static final List<String> WORKER = List.of("-Xmx128m", Processes.QUICK_COMPILER);
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int LATENESS_MS = 300;
    private static final int TIMEOUT_MS = 300;

    /** The time after the end of a worker's window until no packet of before it can come. */
    static final long DELAY_NS = (LATENESS_MS + TIMEOUT_MS) * 1_000_000L;

    private static final long LONGEST_END_S = 90;

    private final Path directory;
    private final Path capture;
    private final int shards;
    private final Processes processes;
    private final Brokers brokers;
    private final List<Life> lives = new ArrayList<>();
    private final Set<Started> frozen = new HashSet<>();
    private Optional<Path> launcher = Optional.empty();
    private int started;

    /**
     * @param directory for logs, outboxes and Kafka's files
     * @param host that brokers listen on
     * @param shards of the merge
     */
    FaultCluster(Path directory, Path capture, String host, int brokers, int shards) {
        this.directory = directory;
        this.capture = capture;
        this.shards = shards;
        this.processes = new Processes(directory);
        this.brokers = new Brokers(processes, directory, host, brokers);
    }

    KafkaSettings kafka() {
        return brokers.client().withShards(shards);
    }

    Path directory() {
        return directory;
    }

    int brokers() {
        return brokers.count();
    }

    List<Life> lives() {
        return lives;
    }

    /** Returns the present process of a node's worker. */
    Life life(String node) {
        return lives.stream()
                .filter(life -> life.node().equals(node))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    /** Starts servers and workers of this release from now on; empty: of our own. */
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
        brokers.start();
    }

    /** Kills a broker, by its number from 0. */
    void killBroker(int index) throws InterruptedException {
        kill(brokers.all().get(index));
    }

    /** Stops all brokers in order, as an operator would. */
    void stopBrokers() throws InterruptedException {
        for (Started broker : brokers.all()) {
            broker.process().destroy();
        }
        for (Started broker : brokers.all()) {
            if (!broker.process().waitFor(LONGEST_END_S, TimeUnit.SECONDS)) {
                kill(broker); // a broker without controllers waits for them
            }
        }
    }

    /** Freezes them. The machine still accepts connections for them. */
    void freezeBrokers() {
        for (Started broker : brokers.all()) {
            freeze(broker);
        }
    }

    void thawBrokers() {
        for (Started broker : brokers.all()) {
            thaw(broker);
        }
    }

    /** An old release knows no other number of shards, and no option for it. */
    private List<String> command(String role) {
        List<String> command = new ArrayList<>(List.of(role, "--kafka", brokers.bootstrap()));
        if (shards != KafkaSettings.SHARDS) {
            command.addAll(List.of("--shards", Integer.toString(shards)));
        }
        return command;
    }

    Server server() throws InterruptedException {
        List<String> command = command("server");
        command.addAll(List.of("--port", "0"));
        return new Server(start("server", Surroundings.NONE, SERVER, command));
    }

    /** Starts a worker whose first packet has the time when it is ready. */
    Life worker(String node, Path outbox, Surroundings where, String... more)
            throws InterruptedException {
        List<String> arguments = command("worker");
        arguments.addAll(List.of("--node-id", node, "--pcap", capture.toString(), "--repeat"));
        arguments.addAll(List.of("--wait", "park", "--begin", "now"));
        arguments.addAll(List.of("--lateness", LATENESS_MS + "ms"));
        arguments.addAll(List.of("--timeout", TIMEOUT_MS + "ms", "--outbox", outbox.toString()));
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

    /** Kills without warning. */
    void kill(Started process) throws InterruptedException {
        process.process().destroyForcibly();
        process.process().waitFor();
    }

    /** Freezes a process, which does not know it. */
    void freeze(Started process) {
        Shell.signal("STOP", process.process().pid());
        frozen.add(process);
    }

    void thaw(Started process) {
        Shell.signal("CONT", process.process().pid());
        frozen.remove(process);
    }

    /** Asks it to end. Returns its exit code, or empty if it did not end. */
    Optional<Integer> end(Started process) throws InterruptedException {
        process.process().destroy();
        return process.process().waitFor(LONGEST_END_S, TimeUnit.SECONDS)
                ? Optional.of(process.process().exitValue())
                : Optional.empty();
    }

    static long nowNs() {
        Instant now = Clock.SYSTEM.instant();
        return now.getEpochSecond() * SECOND_NS + now.getNano();
    }

    @Override
    public void close() {
        List.copyOf(frozen).stream().filter(one -> one.process().isAlive()).forEach(this::thaw);
        processes.close();
    }
}
