package io.weir.cluster.server;

import io.weir.cluster.http.HttpHead;
import io.weir.cluster.http.HttpLimits;
import io.weir.cluster.http.HttpListener;
import io.weir.cluster.http.HttpStep;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.Access;
import io.weir.cluster.security.Busy;
import io.weir.cluster.security.Tls;
import io.weir.cluster.security.User;
import io.weir.cluster.session.Sessions;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.calcite.avatica.remote.LocalService;

/**
 * The JDBC server: Avatica's protobuf over HTTP or HTTPS ({@link HttpListener}). Each request names
 * its user (HTTP's Basic). Without users the server is for the loopback only. Requests that a
 * browser sends for a web page are refused.
 *
 * <p>Threads: one per connection, one per running query, one that forgets idle clients.
 */
public final class WeirServer implements AutoCloseable {
    /** The port of {@code jdbc:weir://host} without a port. */
    public static final int DEFAULT_PORT = 9347;

    public static final Duration IDLE = Duration.ofMinutes(5);

    /** The header that tells the driver after which silence a client is forgotten. */
    static final String IDLE_HEADER = "Weir-Idle-Ms";

    /** The header in which the driver tells how long it waits for rows at most. */
    static final String WAIT_HEADER = "weir-wait-ms";

    private static final int MAX_REQUEST_BYTES = 4 << 20;
    private static final int[] REFUSALS = {400, 401, 403, 405, 413, 429, 431, 500, 501};

    private final Access access;
    private final Sessions sessions;
    private final AvaticaRequests requests;
    private final HttpListener http;
    private final ScheduledExecutorService sweeper;
    private final Duration idle;
    private final AtomicLong wrong = new AtomicLong();
    private final AtomicLong nameless = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private ScheduledFuture<?> sweeping;

    /**
     * Makes a server that everybody on this machine may use. The address must be of the loopback.
     */
    public WeirServer(SqlNode node, InetSocketAddress address, Duration idle) {
        this(node, address, idle, Access.OPEN);
    }

    /**
     * Binds the address; answers after {@link #start}.
     *
     * @param address port 0 for any free one
     * @param idle the silence after which a client's statements are closed
     */
    public WeirServer(SqlNode node, InetSocketAddress address, Duration idle, Access access) {
        access.check(address);
        this.access = access;
        this.idle = idle;
        sessions = new Sessions(node, idle, Clock.SYSTEM);
        requests =
                new AvaticaRequests(
                        new LocalService(new WeirMeta(node, sessions)),
                        Map.of(IDLE_HEADER, Long.toString(idle.toMillis())));
        http = bind(address);
        sweeper = Executors.newSingleThreadScheduledExecutor(WeirServer::daemon);
    }

    private HttpListener bind(InetSocketAddress address) {
        try {
            return new HttpListener(
                    "weir-http",
                    address,
                    HttpLimits.DEFAULT,
                    access.tls(),
                    access.tls().map(Tls::parameters),
                    this::begin,
                    Clock.SYSTEM);
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

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "weir-idle");
        thread.setDaemon(true);
        return thread;
    }

    public WeirServer start() {
        http.start();
        long periodMs = Math.max(10, idle.toMillis() / 4);
        sweeping =
                sweeper.scheduleWithFixedDelay(
                        sessions::sweep, periodMs, periodMs, TimeUnit.MILLISECONDS);
        return this;
    }

    public int port() {
        return http.address().getPort();
    }

    /** Returns the URL for a client on this machine. */
    public String url() {
        InetAddress address = http.address().getAddress();
        String host = address.isAnyLocalAddress() ? "localhost" : address.getHostAddress();
        return WeirDriver.PREFIX
                + "//"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + port()
                + (access.tls().isPresent() ? WeirUrl.TLS : "");
    }

    /**
     * Returns the running queries, including those that a client stopped and that have not ended.
     */
    public int runningQueries() {
        return sessions.running();
    }

    /** Reports to Prometheus: any thread. */
    public void read(Readings out) {
        out.gauge("weir_statements_running", "Queries of clients that run", runningQueries());
        HttpListener.Counts counts = http.counts();
        for (int status : REFUSALS) {
            out.counter(
                    "weir_http_refused",
                    "Requests that were refused, by HTTP status",
                    counts.answers().getOrDefault(status, 0L),
                    "status",
                    Integer.toString(status));
        }
        out.gauge("weir_http_connections", "Connections of clients", counts.connections());
        String help = "Connections closed: clients were late, or others needed the room";
        out.counter("weir_http_closed", help, counts.late(), "reason", "late");
        out.counter("weir_http_closed", help, counts.displaced(), "reason", "displaced");
        refusedLogins(out, "wrong", wrong);
        refusedLogins(out, "missing", nameless);
        refusedLogins(out, "busy", busy);
    }

    private static void refusedLogins(Readings out, String reason, AtomicLong count) {
        String help =
                "Requests without a right login: a wrong one, none, or too many at once of a client";
        out.counter("weir_logins_refused", help, count.get(), "reason", reason);
    }

    private HttpStep begin(HttpHead head) {
        if (!"POST".equals(head.method())) {
            return HttpStep.Answer.of(405);
        } else if (head.header("origin").isPresent()) {
            return HttpStep.Answer.of(403); // a web page that guesses local ports
        }
        try {
            Optional<User> user =
                    access.user(head.header("authorization").orElse(""), head.client());
            if (user.isPresent()) {
                return body(head, user.get());
            }
            (head.header("authorization").isPresent() ? wrong : nameless).incrementAndGet();
            return HttpStep.Answer.of(401);
        } catch (Busy e) {
            busy.incrementAndGet();
            return new HttpStep.Answer(429, Map.of("Retry-After", "1"), new byte[0]);
        }
    }

    private HttpStep body(HttpHead head, User user) {
        long waitNs =
                head.header(WAIT_HEADER)
                        .filter(text -> text.matches("\\d{1,9}"))
                        .map(text -> TimeUnit.MILLISECONDS.toNanos(Long.parseLong(text)))
                        .orElse(Long.MAX_VALUE);
        return new HttpStep.Body(
                MAX_REQUEST_BYTES,
                request -> Callers.as(user, waitNs, () -> requests.answer(request)));
    }

    /** Stops the clients' queries and the threads. Idempotent. */
    @Override
    public void close() {
        if (sweeping != null) {
            sweeping.cancel(false);
        }
        sweeper.shutdownNow();
        sessions.close();
        http.close();
    }
}
