package io.weir.cluster.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import org.apache.calcite.avatica.remote.AvaticaHttpClient;

/**
 * One request, one answer, over kept-alive connections of the JDK's client: it starts in
 * milliseconds. Thread-safe. Avatica makes it by name.
 */
public final class HttpTransport implements AvaticaHttpClient {
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    /** A statement may take a while to be compiled; a fetch answers within about a second. */
    private static final int READ_TIMEOUT_MS = 60_000;

    private final URL url;

    public HttpTransport(URL url) {
        this.url = url;
    }

    @Override
    public byte[] send(byte[] request) {
        try {
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
            connection.setReadTimeout(READ_TIMEOUT_MS);
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/x-google-protobuf");
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(request.length);
            try (OutputStream body = connection.getOutputStream()) {
                body.write(request);
            }
            return answer(connection);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] answer(HttpURLConnection connection) throws IOException {
        boolean failed = connection.getResponseCode() != HttpURLConnection.HTTP_OK;
        try (InputStream body =
                failed ? connection.getErrorStream() : connection.getInputStream()) {
            if (body == null) {
                throw new IOException("HTTP status " + connection.getResponseCode());
            }
            return body.readAllBytes();
        }
    }
}
