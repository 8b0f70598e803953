package io.weir.cluster.format;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A registry as its REST interface is documented, over HTTP. */
public final class FakeRegistry implements AutoCloseable {
    private final HttpServer http;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String garbage;
    private volatile Runnable first = () -> {};
    private int id = 6;

    public FakeRegistry() throws Exception {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext(
                "/",
                exchange -> {
                    first.run();
                    requests.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI().getRawPath()
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("Authorization"));
                    bodies.add(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    id++;
                    String answer =
                            status == 200
                                    ? "{\"id\":" + id + "}"
                                    : "{\"error_code\":409,\"message\":\"not compatible\"}";
                    answer = garbage == null ? answer : garbage;
                    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        http.start();
    }

    /** From now on, with an error's text where it is none. */
    public void answer(int code) {
        status = code;
    }

    /** What happens while somebody waits for its answer. */
    public void first(Runnable action) {
        first = action;
    }

    /** It says this in place of a number; null: no more. */
    void garble(String text) {
        garbage = text;
    }

    List<String> requests() {
        return requests;
    }

    List<String> bodies() {
        return bodies;
    }

    public Optional<SchemaRegistry> client() {
        return Optional.of(
                new SchemaRegistry(
                        "http://127.0.0.1:" + http.getAddress().getPort(), Optional.of("u:pass")));
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
