package io.weir.cluster.demo;

import io.weir.cluster.demo.Processes.Started;
import io.weir.cluster.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The brokers of one Kafka, each a process that is a controller as well. They keep their ports and
 * files through restarts. One thread.
 */
public final class Brokers {
    private static final List<String> JVM = List.of("-Xmx320m", Processes.QUICK_COMPILER);

    private final Processes processes;
    private final Path directory;
    private final String host;
    private final List<Integer> ports;
    private final Started[] running;
    private int started;

    /**
     * @param processes that runs them
     * @param directory for their files
     * @param host that they listen on
     */
    public Brokers(Processes processes, Path directory, String host, int count) {
        this.processes = processes;
        this.directory = directory;
        this.host = host;
        ports = Loopback.freePorts(2 * count);
        running = new Started[count];
    }

    public int count() {
        return running.length;
    }

    public KafkaSettings client() {
        return KafkaSettings.of(bootstrap());
    }

    /** Returns the value for {@code --kafka}. */
    public String bootstrap() {
        return ports.subList(0, count()).stream()
                .map(port -> host + ":" + port)
                .collect(Collectors.joining(","));
    }

    /** Starts all that do not run, and waits for them. */
    public void start() throws InterruptedException {
        List<Started> fresh = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            if (running[i] == null || !running[i].process().isAlive()) {
                running[i] = start(i);
                fresh.add(running[i]);
            }
        }
        for (Started broker : fresh) {
            broker.await("listens on");
        }
    }

    private Started start(int index) {
        String controllers =
                IntStream.range(0, count())
                        .mapToObj(i -> (i + 1) + "@" + host + ":" + ports.get(count() + i))
                        .collect(Collectors.joining(","));
        String id = Integer.toString(index + 1);
        return processes.start(
                "broker-" + id + "." + ++started,
                JVM,
                "broker",
                "--id",
                id,
                "--host",
                host,
                "--port",
                ports.get(index).toString(),
                "--controllers",
                controllers,
                "--directory",
                directory.resolve("kafka-" + id).toString());
    }

    /** Returns the brokers; the index is the number less one. */
    public List<Started> all() {
        return List.of(running);
    }
}
