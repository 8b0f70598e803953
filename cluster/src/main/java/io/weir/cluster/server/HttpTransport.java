package io.weir.cluster.server;

import io.weir.cluster.security.Tls;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.calcite.avatica.remote.AvaticaHttpClient;

/**
 * One request, one answer, over kept-alive connections of the JDK's client: it starts in
 * milliseconds. Thread-safe.
 */
final class HttpTransport implements AvaticaHttpClient {
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    /** A statement may take a while to be compiled; a fetch answers within about a second. */
    private static final int READ_TIMEOUT_MS = 60_000;

    private static final int TOO_MANY_REQUESTS = 429;

    private final URL url;
    private final String login;
    private final SSLSocketFactory trusted;
    private volatile boolean speaksTls;

    /**
     * @param user null where the server has none
     * @param trust certificates to believe, PEM or a key store; null for those that the JDK knows
     */
    HttpTransport(URL url, String user, String password, File trust) {
        this.url = url;
        this.login = user == null ? null : basic(user, password);
        this.trusted =
                trust == null
                        ? HttpsURLConnection.getDefaultSSLSocketFactory()
                        : Tls.client(trust.toPath()).getSocketFactory();
    }

    private static String basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    @Override
    public byte[] send(byte[] request) {
        try {
            checkTls();
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            if (connection instanceof HttpsURLConnection https) {
                https.setSSLSocketFactory(trusted);
            }
            connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
            connection.setReadTimeout(READ_TIMEOUT_MS);
            connection.setInstanceFollowRedirects(false); // it would take the password along
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/x-google-protobuf");
            if (login != null) {
                connection.setRequestProperty("Authorization", login);
            }
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

    /** A server without TLS waits for the rest of what it takes for a request, as we would. */
    private void checkTls() throws IOException {
        if (speaksTls || !url.getProtocol().equals("https")) {
            return;
        }
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(url.getHost(), url.getPort()), CONNECT_TIMEOUT_MS);
            plain.setSoTimeout(CONNECT_TIMEOUT_MS);
            ((SSLSocket) trusted.createSocket(plain, url.getHost(), url.getPort(), true))
                    .startHandshake();
            speaksTls = true;
        } catch (SocketTimeoutException e) {
            throw new IOException(
                    "it does not answer in TLS; the URL of a server without has no ?tls=true");
        }
    }

    private byte[] answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw new IOException(
                    login == null
                            ? "the server wants user and password"
                            : "user or password are wrong");
        } else if (status == TOO_MANY_REQUESTS) {
            throw new IOException("the server is checking too many passwords; try again");
        }
        boolean failed = status != HttpURLConnection.HTTP_OK;
        try (InputStream body =
                failed ? connection.getErrorStream() : connection.getInputStream()) {
            if (body == null) {
                throw new IOException("HTTP status " + status);
            }
            return body.readAllBytes();
        }
    }
}
