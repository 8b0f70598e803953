package io.weir.cluster.broker;

import io.weir.cluster.disk.OwnFiles;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka broker in this process: for {@code weir broker}, {@code --kafka} without an address,
 * and tests. A new object over the same directory continues the same broker. One thread at a time.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final String FORMATTED = "meta.properties";
    private static final int FIRST_PORT = 12_000;
    private static final int PORTS = 20_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    /** As Kafka itself has it. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final BrokerSettings settings;
    private final CombinedServer server;
    private boolean closed;

    private EmbeddedBroker(BrokerSettings settings, CombinedServer server) {
        this.settings = settings;
        this.server = server;
    }

    /** Starts a broker, and returns when it runs; with several voters, when most of them do. */
    public static EmbeddedBroker start(BrokerSettings settings) {
        return start(settings, PATIENCE);
    }

    /**
     * Starts a broker.
     *
     * @param patience how long it waits for its cluster to let it in
     */
    static EmbeddedBroker start(BrokerSettings settings, Duration patience) {
        // If a controller's port is taken, Kafka says nothing and ends the process. So it is
        // checked here.
        checkFree(settings.host(), settings.port());
        checkFree(settings.host(), settings.self().port());
        try {
            format(settings);
            CombinedServer server = new CombinedServer(settings, patience);
            server.start();
            return new EmbeddedBroker(settings, server);
        } catch (Exception e) {
            throw failed(settings, patience, e);
        }
    }

    /** Starts a broker that is the whole cluster, on free ports of the loopback. */
    public static EmbeddedBroker startAlone(Path directory) {
        return start(BrokerSettings.alone(freePort(), freePort(), directory));
    }

    /**
     * Returns a port that nobody listened on a moment ago, another one each time. It is below
     * 32768, where Linux takes ports for clients. A client might take the port before the broker
     * does, and Kafka would end the process.
     */
    public static int freePort() {
        IOException last = null;
        for (int tries = 0; tries < PORTS; tries++) {
            int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw new WeirException(ErrorCode.INVALID_OPTION, "no port is free: " + last);
    }

    private static void checkFree(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address, 1);
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "a broker cannot listen on " + host + ":" + port + ": " + e.getMessage(),
                    "name another port: weir up --kafka PORT, weir broker --port PORT (its"
                            + " controller has the next one, if none is named)");
        }
    }

    private static void format(BrokerSettings settings) throws Exception {
        Path directory = settings.directory();
        OwnFiles.folder(directory, FORMATTED);
        if (Files.exists(directory.resolve(FORMATTED))) {
            return;
        }
        new Formatter()
                .setNodeId(settings.id())
                .setClusterId(BrokerSettings.clusterId())
                .setControllerListenerName("CONTROLLER")
                .addDirectory(directory.toString())
                .setMetadataLogDirectory(directory.toString())
                .setHasDynamicQuorum(false)
                .setPrintStream(
                        new PrintStream(
                                OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
    }

    private static WeirException failed(BrokerSettings settings, Duration patience, Exception e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = root.getMessage();
        if (root instanceof CancellationException) { // Kafka's only message after a wait in vain
            why =
                    "most of its cluster's controllers did not accept it within "
                            + patience.toSeconds()
                            + " s";
        }
        WeirException failure =
                new WeirException(
                        ErrorCode.KAFKA_UNAVAILABLE,
                        "broker " + settings.id() + " did not start: " + why,
                        "are ports and directory "
                                + settings.directory()
                                + " its own? WEIR_LOG=info shows more");
        failure.initCause(e);
        return failure;
    }

    /** Returns its address, for clients of it alone. */
    public String bootstrap() {
        return settings.host() + ":" + settings.port();
    }

    public BrokerSettings settings() {
        return settings;
    }

    /** Waits until another thread stops it. */
    public void awaitEnd() {
        server.awaitEnd();
    }

    /**
     * Stops it, quickly even if the other brokers of its cluster are gone. Its directory stays.
     * Idempotent.
     */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            server.stop();
        }
    }
}
