package io.weir.cluster.metrics;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MetricsServerTest {
    private static final int HANGING = 3;

    /** They have asked for half a page, and say no more. */
    @Test
    void whoHangsKeepsNobodyElseFromMetrics() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (MetricsServer server = new MetricsServer(any, type -> "weir_up 1\n")) {
            server.start();
            Socket[] hanging = new Socket[HANGING];
            for (int i = 0; i < HANGING; i++) {
                hanging[i] = new Socket(InetAddress.getLoopbackAddress(), server.port());
                hanging[i]
                        .getOutputStream()
                        .write("GET /metrics HTTP/1.1\r\nHo".getBytes(US_ASCII));
            }
            URI page = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
            for (int times = 0; times < 10; times++) {
                HttpResponse<String> answer =
                        HttpClient.newHttpClient()
                                .send(
                                        HttpRequest.newBuilder(page).build(),
                                        BodyHandlers.ofString());
                assertEquals("weir_up 1\n", answer.body());
            }
            for (Socket one : hanging) {
                one.close();
            }
        }
    }
}
