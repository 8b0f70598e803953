package io.weir.cluster.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.Tls;
import io.weir.cluster.security.User;
import io.weir.cluster.security.Users;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.calcite.avatica.metrics.noop.NoopMetricsSystem;
import org.apache.calcite.avatica.remote.Handler.HandlerResponse;
import org.apache.calcite.avatica.remote.LocalService;
import org.apache.calcite.avatica.remote.ProtobufHandler;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;

/**
 * The JDBC server: Avatica's protobuf over the JDK's HTTP or HTTPS server. Each request says who
 * makes it (HTTP's Basic); without users the server is for the loopback only. Requests that a
 * browser sends for a web page are refused.
 *
 * <p>Threads: one per request in flight (at most {@value #MAX_THREADS}; more requests wait), one
 * per running query, one that forgets idle clients.
 */
public final class WeirServer implements AutoCloseable {
    /** Where {@code jdbc:weir://host} looks when it names no port. */
    public static final int DEFAULT_PORT = 9347;

    public static final Duration IDLE = Duration.ofMinutes(5);

    private static final int MAX_THREADS = 256;
    private static final int MAX_REQUEST_BYTES = 4 << 20;
    private static final int MOST_SKIPPED_BYTES = 64 << 10;
    private static final int BACKLOG = 64;

    private final Access access;
    private final Sessions sessions;
    private final ProtobufHandler handler;
    private final HttpServer http;
    private final ExecutorService threads;
    private final ScheduledExecutorService sweeper;
    private final Duration idle;
    private final Map<Integer, Long> refused = new ConcurrentHashMap<>();
    private ScheduledFuture<?> sweeping;

    static {
        // Read once by the JDK's server: without it an answer can wait 40 ms for an ACK.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    /** One that everybody on this machine may use; the address must be of the loopback. */
    public WeirServer(SqlNode node, InetSocketAddress address, Duration idle) {
        this(node, address, idle, Access.OPEN);
    }

    /**
     * Binds the address; answers after {@link #start}.
     *
     * @param address port 0 for any free one
     * @param idle after which a silent client's statements are closed
     */
    public WeirServer(SqlNode node, InetSocketAddress address, Duration idle, Access access) {
        access.check(address);
        this.access = access;
        this.idle = idle;
        sessions = new Sessions(idle, System::nanoTime);
        handler =
                new ProtobufHandler(
                        new LocalService(new WeirMeta(node, sessions)),
                        new ProtobufTranslationImpl(),
                        NoopMetricsSystem.getInstance());
        http = bind(address, access.tls());
        threads = Executors.newFixedThreadPool(MAX_THREADS, daemons("weir-http"));
        sweeper = Executors.newSingleThreadScheduledExecutor(daemons("weir-idle"));
    }

    private static HttpServer bind(InetSocketAddress address, Optional<SSLContext> tls) {
        try {
            if (tls.isEmpty()) {
                return HttpServer.create(address, BACKLOG);
            }
            HttpsServer https = HttpsServer.create(address, BACKLOG);
            https.setHttpsConfigurator(
                    new HttpsConfigurator(tls.get()) {
                        @Override
                        public void configure(HttpsParameters parameters) {
                            parameters.setSSLParameters(Tls.parameters(getSSLContext()));
                        }
                    });
            return https;
        } catch (IOException | IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "cannot listen on " + text(address) + ": " + e.getMessage(),
                    "name another port with --port");
        }
    }

    private static String text(InetSocketAddress address) {
        String host =
                address.isUnresolved()
                        ? address.getHostString()
                        : address.getAddress().getHostAddress();
        return host + ":" + address.getPort();
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    public WeirServer start() {
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
        long periodMs = Math.max(10, idle.toMillis() / 4);
        sweeping =
                sweeper.scheduleWithFixedDelay(
                        sessions::sweep, periodMs, periodMs, TimeUnit.MILLISECONDS);
        return this;
    }

    public int port() {
        return http.getAddress().getPort();
    }

    /** What a client on this machine connects to. */
    public String url() {
        InetAddress address = http.getAddress().getAddress();
        String host = address.isAnyLocalAddress() ? "localhost" : address.getHostAddress();
        return WeirDriver.PREFIX
                + "//"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + port()
                + (access.tls().isPresent() ? WeirUrl.TLS : "");
    }

    /**
     * Queries that run at this moment, those included that a client stopped and that have yet to
     * end.
     */
    public int runningQueries() {
        return sessions.running();
    }

    /** How it does, for Prometheus: any thread. */
    public void read(Readings out) {
        out.gauge("weir_statements_running", "Queries of clients that run", runningQueries());
        for (int status : new int[] {403, 405, 413}) {
            out.counter(
                    "weir_http_refused",
                    "Requests that were refused unread, by HTTP status",
                    refused.getOrDefault(status, 0L),
                    "status",
                    Integer.toString(status));
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!"POST".equals(exchange.getRequestMethod())) {
                refuse(exchange, 405);
            } else if (exchange.getRequestHeaders().containsKey("Origin")) {
                refuse(exchange, 403); // a web page that guesses at local ports
            } else {
                authenticate(exchange);
            }
        }
    }

    private void authenticate(HttpExchange exchange) throws IOException {
        try {
            Optional<User> user = access.user(exchange);
            if (user.isPresent()) {
                answer(exchange, user.get());
            } else {
                refuse(exchange, 401);
            }
        } catch (Users.Busy e) {
            refuse(exchange, 503);
        }
    }

    private void answer(HttpExchange exchange, User user) throws IOException {
        byte[] request = read(exchange.getRequestBody());
        if (request.length > MAX_REQUEST_BYTES) {
            refuse(exchange, 413);
            return;
        }
        HandlerResponse<byte[]> response = Callers.as(user, () -> handler.apply(request));
        exchange.sendResponseHeaders(response.getStatusCode(), response.getResponse().length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(response.getResponse());
        }
    }

    private static byte[] read(InputStream body) throws IOException {
        return body.readNBytes(MAX_REQUEST_BYTES + 1);
    }

    /** What is not read of a request would be taken for the next one of its connection. */
    private void refuse(HttpExchange exchange, int status) throws IOException {
        refused.merge(status, 1L, Long::sum);
        byte[] rest = exchange.getRequestBody().readNBytes(MOST_SKIPPED_BYTES);
        if (rest.length == MOST_SKIPPED_BYTES) {
            exchange.getResponseHeaders().set("Connection", "close");
        }
        exchange.sendResponseHeaders(status, -1);
    }

    /** Stops the clients' queries and the threads. Idempotent. */
    @Override
    public void close() {
        if (sweeping != null) {
            sweeping.cancel(false);
        }
        sweeper.shutdownNow();
        sessions.close();
        http.stop(0);
        threads.shutdownNow();
    }
}
