package io.weir.cluster.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.http.HttpStep.Answer;
import io.weir.cluster.security.TestCertificates;
import io.weir.cluster.security.Tls;
import io.weir.operators.time.ManualClock;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A port under clients that mean no good. */
@Timeout(60)
class HttpListenerTest {
    private static final HttpLimits FEW =
            new HttpLimits(8, Duration.ofSeconds(10), Duration.ofSeconds(30), 1 << 20);

    private final ManualClock clock = new ManualClock();
    private final List<Socket> sockets = new ArrayList<>();
    private HttpListener listener;

    private void listen(HttpLimits limits, Optional<SSLContext> tls) throws IOException {
        listener =
                new HttpListener(
                                "test",
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                limits,
                                tls,
                                tls.map(Tls::parameters),
                                HttpListenerTest::echo,
                                clock)
                        .start();
    }

    private static HttpStep echo(HttpHead head) {
        if (head.path().equals("/refused")) {
            return Answer.of(403);
        } else if (head.path().equals("/bug")) {
            throw new IllegalStateException("a bug");
        }
        return new HttpStep.Body(
                1 << 20, body -> Answer.of(200, "text/plain", head.method() + " " + body.length));
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        listener.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort());
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }

    private Socket send(String text) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** All that comes until the server closes. */
    private String answer(String text) throws IOException {
        return rest(send(text));
    }

    private static String rest(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return ""; // it was reset
        }
    }

    private String status(String text) throws IOException {
        return answer(text).lines().findFirst().orElse("closed");
    }

    private void assertServes() throws IOException {
        String answer =
                answer("POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
        assertTrue(answer.endsWith("\r\n\r\nPOST 3"), answer);
    }

    @Test
    void requestsFollowEachOther() throws Exception {
        listen(FEW, Optional.empty());
        String two =
                answer(
                        "GET /a?b HTTP/1.1\r\n\r\n"
                                + "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n"
                                + "POST /refused HTTP/1.1\r\nContent-Length: 2\r\n\r\nxy"
                                + "GET /bug HTTP/1.0\r\n\r\n");
        assertEquals(
                List.of(
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 200 OK",
                        "HTTP/1.1 403 Forbidden",
                        "HTTP/1.1 500 Internal Server Error"),
                two.lines()
                        .filter(line -> line.contains("HTTP/1.1"))
                        .map(line -> line.substring(line.indexOf("HTTP/1.1")))
                        .toList());
        assertTrue(two.contains("GET 0") && two.contains("POST 5"), two);
        HttpClient client = HttpClient.newHttpClient();
        URI page = URI.create("http://127.0.0.1:" + listener.address().getPort() + "/");
        HttpRequest request =
                HttpRequest.newBuilder(page)
                        .expectContinue(true)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[100_000]))
                        .build();
        assertEquals("POST 100000", client.send(request, BodyHandlers.ofString()).body());
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        listen(FEW, Optional.empty());
        String post = "POST / HTTP/1.1\r\n";
        for (String bad :
                List.of(
                        "nonsense\r\n\r\n",
                        "GET  / HTTP/1.1\r\n\r\n",
                        "GET / HTTP/2.0\r\n\r\n",
                        "\u0016\u0003\u0001\u0002\n\r\n",
                        post + "Content-Length: -1\r\n\r\n",
                        post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
                        post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                        post + "Content-Length : 1\r\n\r\n",
                        post + "A: b\r\n c\r\n\r\n",
                        post + "A: \u0001\r\n\r\n",
                        post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                        post + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
                        post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n")) {
            assertEquals("HTTP/1.1 400 Bad Request", status(bad), bad);
        }
        assertEquals(
                "HTTP/1.1 413 Content Too Large",
                status(post + "Content-Length: 999999999999999999\r\n\r\n"));
        assertEquals(
                "HTTP/1.1 413 Content Too Large",
                status(post + "Transfer-Encoding: chunked\r\n\r\nffffffff\r\nx"));
        assertTrue(status(post + "Transfer-Encoding: gzip\r\n\r\n").contains("501"));
        assertTrue(status("GET / HTTP/1.1\r\nA: " + "x".repeat(20_000)).contains("431"));
        assertTrue(status("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(150)).contains("431"));
        assertServes();
    }

    /** Whatever bytes come, the port goes on. */
    @Test
    void noBytesBlockThePort() throws Exception {
        listen(FEW, Optional.empty());
        long seed = Long.getLong("weir.seed", 19);
        Random random = new Random(seed);
        String valid = "POST / HTTP/1.1\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\nabc";
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder(valid);
            for (int n = random.nextInt(8); n > 0; n--) {
                text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
            }
            send(text.substring(0, random.nextInt(text.length())));
        }
        assertServes();
    }

    /** More half requests than there is room for: the next whole one is served at once. */
    @Test
    void halfRequestsMakeRoom() throws Exception {
        listen(FEW, Optional.empty());
        for (String half :
                List.of(
                        "",
                        "P",
                        "POST / HTTP/1.1\r\nHo",
                        "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
                        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")) {
            for (int i = 0; i < 20; i++) {
                send(half);
            }
            assertServes();
        }
        assertTrue(listener.counts().displaced() >= 50, listener.counts().toString());
        assertTrue(listener.counts().connections() <= 8, listener.counts().toString());
    }

    @Test
    void halfHandshakesMakeRoom(@TempDir Path folder) throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        listen(FEW, Optional.of(Tls.server(certificates.certificate, certificates.key())));
        for (int i = 0; i < 20; i++) {
            send(i % 2 == 0 ? "" : "\u0016\u0003\u0001\u0002\u0000\u0001");
        }
        HttpClient client =
                HttpClient.newBuilder().sslContext(Tls.client(certificates.certificate)).build();
        URI page = URI.create("https://localhost:" + listener.address().getPort() + "/");
        HttpRequest request = HttpRequest.newBuilder(page).build();
        assertEquals("GET 0", client.send(request, BodyHandlers.ofString()).body());
    }

    @Test
    void lateClientsAreClosed() throws Exception {
        listen(FEW, Optional.empty());
        Socket head = send("POST / HTTP/1.1\r\nHo");
        Socket body = send("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx");
        Socket idle = send("GET / HTTP/1.1\r\n\r\n");
        byte[] first = idle.getInputStream().readNBytes(12);
        assertEquals("HTTP/1.1 200", new String(first, StandardCharsets.ISO_8859_1));
        awaitConnections(3);
        clock.pass(Duration.ofSeconds(11));
        assertEquals("", restAsTimePasses(head));
        assertEquals("", restAsTimePasses(body));
        awaitConnections(1);
        clock.pass(Duration.ofSeconds(31));
        rest(idle);
        awaitConnections(0);
        assertEquals(2, listener.counts().late());
    }

    /** A connection's wait may begin after the clock was set: then a little more time passes. */
    private String restAsTimePasses(Socket socket) throws IOException {
        socket.setSoTimeout(200);
        while (true) {
            try {
                return rest(socket);
            } catch (SocketTimeoutException e) {
                clock.pass(Duration.ofSeconds(1));
            }
        }
    }

    private void awaitConnections(int count) throws InterruptedException {
        Await.until(() -> listener.counts().connections() == count);
    }

    /** A handler at work is waited for, however long it takes, and is not displaced. */
    @Test
    void workIsNotDisplaced() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        listener =
                new HttpListener(
                                "test",
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                FEW.withConnections(2),
                                Optional.empty(),
                                Optional.empty(),
                                head -> {
                                    if (head.path().equals("/slow")) {
                                        begun.countDown();
                                        await(done);
                                    }
                                    return Answer.of(200);
                                },
                                clock)
                        .start();
        Socket slow = send("GET /slow HTTP/1.0\r\n\r\n");
        await(begun);
        clock.pass(Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            send("G");
            assertTrue(answer("GET / HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 200"));
        }
        done.countDown();
        assertTrue(rest(slow).startsWith("HTTP/1.1 200"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
