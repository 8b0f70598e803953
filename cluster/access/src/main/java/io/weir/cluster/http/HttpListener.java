package io.weir.cluster.http;

import io.weir.cluster.http.HttpConnection.Phase;
import io.weir.cluster.http.HttpStep.Answer;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A port for HTTP or HTTPS that no client can block. Each connection has a deadline for its client.
 * If all connections are taken, a new one closes an old one: the longest wait for a client, of the
 * address with most waits. So half a request, a half handshake or an idle connection blocks nobody.
 *
 * <p>Threads: one that accepts, one that watches deadlines, one per connection.
 */
public final class HttpListener implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final long WATCH_MS = 100;
    private static final Map<Integer, String> REASONS =
            Map.of(
                    200,
                    "OK",
                    400,
                    "Bad Request",
                    401,
                    "Unauthorized",
                    403,
                    "Forbidden",
                    404,
                    "Not Found",
                    405,
                    "Method Not Allowed",
                    413,
                    "Content Too Large",
                    429,
                    "Too Many Requests",
                    431,
                    "Request Header Fields Too Large",
                    500,
                    "Internal Server Error");

    private final HttpLimits limits;
    private final Clock clock;
    private final HttpHandler handler;
    private final Optional<SSLContext> tls;
    private final Optional<SSLParameters> parameters;
    private final ServerSocket socket;
    private final ExecutorService threads;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
    private final AtomicLong late = new AtomicLong();
    private final AtomicLong displaced = new AtomicLong();
    private volatile boolean closed;

    /** Counts of connections, now and before, and of requests by answer. */
    public record Counts(int connections, long late, long displaced, Map<Integer, Long> answers) {}

    /**
     * Binds the address; answers after {@link #start}.
     *
     * @param name of its threads
     * @param parameters of TLS; present if {@code tls} is
     */
    public HttpListener(
            String name,
            InetSocketAddress address,
            HttpLimits limits,
            Optional<SSLContext> tls,
            Optional<SSLParameters> parameters,
            HttpHandler handler,
            Clock clock)
            throws IOException {
        this.limits = limits;
        this.clock = clock;
        this.handler = handler;
        this.tls = tls;
        this.parameters = parameters;
        this.socket = new ServerSocket();
        this.threads =
                Executors.newCachedThreadPool(
                        work -> {
                            Thread made = new Thread(work, name);
                            made.setDaemon(true);
                            return made;
                        });
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    public HttpListener start() {
        threads.execute(this::accept);
        threads.execute(this::watch);
        return this;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    public Counts counts() {
        Map<Integer, Long> told = new HashMap<>();
        answers.forEach((status, count) -> told.put(status, count.get()));
        return new Counts(connections.size(), late.get(), displaced.get(), told);
    }

    private void accept() {
        while (!closed) {
            try {
                Socket raw = socket.accept();
                if (connections.size() >= limits.connections() && !makeRoom()) {
                    raw.close();
                    displaced.incrementAndGet();
                    continue;
                }
                HttpConnection connection = new HttpConnection(raw, this);
                connections.add(connection);
                threads.execute(connection);
            } catch (IOException | RuntimeException e) {
                pause(); // no descriptor is free, or the port is closed
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(WATCH_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false if each connection is at work. */
    private boolean makeRoom() {
        List<HttpConnection> waiting =
                connections.stream().filter(c -> c.phase() != Phase.WORKING).toList();
        Map<InetAddress, Integer> counts = new HashMap<>();
        waiting.forEach(c -> counts.merge(c.client(), 1, Integer::sum));
        Optional<HttpConnection> longest =
                waiting.stream()
                        .max(
                                Comparator.<HttpConnection>comparingInt(c -> counts.get(c.client()))
                                        .thenComparing(c -> c.phase() == Phase.READING)
                                        .thenComparing(c -> clock.nanos() - c.sinceNs()));
        longest.ifPresent(
                connection -> {
                    connections.remove(connection);
                    connection.abort();
                    displaced.incrementAndGet();
                });
        return longest.isPresent();
    }

    private void watch() {
        while (!closed && !Thread.currentThread().isInterrupted()) {
            closeLate();
            pause();
        }
    }

    /** Closes the connections whose clients are late. */
    void closeLate() {
        long now = clock.nanos();
        for (HttpConnection connection : List.copyOf(connections)) {
            if (connection.isLate(now)) {
                if (connection.phase() != Phase.IDLE) {
                    late.incrementAndGet();
                }
                connections.remove(connection);
                connection.abort();
            }
        }
    }

    HttpLimits limits() {
        return limits;
    }

    long nowNs() {
        return clock.nanos();
    }

    boolean isTls() {
        return tls.isPresent();
    }

    /** The connection as its client speaks on it. */
    Socket secured(Socket raw) throws IOException {
        if (tls.isEmpty()) {
            return raw;
        }
        SSLSocket secured =
                (SSLSocket)
                        tls.get().getSocketFactory().createSocket(raw, null, raw.getPort(), true);
        secured.setUseClientMode(false);
        parameters.ifPresent(secured::setSSLParameters);
        secured.startHandshake();
        return secured;
    }

    HttpStep begin(HttpHead head) {
        try {
            return handler.begin(head);
        } catch (RuntimeException | StackOverflowError e) {
            return Answer.of(500);
        }
    }

    Answer answer(HttpStep.Body wanted, byte[] body) {
        try {
            return wanted.then().apply(body);
        } catch (RuntimeException | StackOverflowError e) {
            return Answer.of(500);
        }
    }

    void count(int status) {
        answers.computeIfAbsent(status, s -> new AtomicLong()).incrementAndGet();
    }

    void ended(HttpConnection connection) {
        connections.remove(connection);
    }

    static String reason(int status) {
        return REASONS.getOrDefault(status, "Status " + status);
    }

    /** Closes the port and all connections. Idempotent. */
    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            // Nobody can connect in either case.
        }
        connections.forEach(HttpConnection::abort);
        threads.shutdownNow();
    }
}
