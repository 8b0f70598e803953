package io.weir.cluster.server;

import io.weir.cluster.security.Tls;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.calcite.avatica.remote.AvaticaHttpClient;

/**
 * Sends one request and reads one answer over kept-alive connections of the JDK's client, which
 * starts in milliseconds. Thread-safe.
 */
final class HttpTransport implements AvaticaHttpClient {
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    /** A statement may take some time to compile. A fetch answers within about a second. */
    private static final int READ_TIMEOUT_MS = 60_000;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int LOGIN_TRIES = 10;
    private static final long LOGIN_PAUSE_MS = 300;

    /** The limit of this thread's request. */
    private static final ThreadLocal<Limit> LIMIT = new ThreadLocal<>();

    private final URL url;
    private final String login;
    private final SSLSocketFactory trusted;
    private volatile boolean speaksTls;
    private volatile int networkTimeoutMs;
    private volatile long idleMs = WeirServer.IDLE.toMillis();

    /**
     * The time that one request may take.
     *
     * @param waitMs of the server for rows; negative if it does not wait
     * @param restMs of the client for the answer
     * @param late the error text if it takes longer
     */
    private record Limit(long waitMs, long restMs, String late) {}

    /**
     * @param user null if the server has none
     * @param trust certificates to trust, PEM or a key store; null for those that the JDK knows
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

    /** Returns the silence after which the server forgets a client, from its last answer. */
    long idleMs() {
        return idleMs;
    }

    int networkTimeoutMs() {
        return networkTimeoutMs;
    }

    /**
     * Sets the time-out of each answer from now on.
     *
     * @param timeoutMs 0 for the usual one
     */
    void networkTimeoutMs(int timeoutMs) {
        networkTimeoutMs = timeoutMs;
    }

    /** Makes a request in which the server waits for rows, at most so long. */
    <T> T waiting(long waitMs, Callable<T> request) throws Exception {
        long most = networkTimeoutMs == 0 ? waitMs : Math.min(waitMs, networkTimeoutMs / 2 + 1);
        return limited(new Limit(most, Long.MAX_VALUE, ""), request);
    }

    /** Makes requests that must be answered within a statement's time. */
    <T> T within(StatementSettings settings, Callable<T> requests) throws Exception {
        long restNs = settings.restNs();
        long restMs = restNs == Long.MAX_VALUE ? restNs : TimeUnit.NANOSECONDS.toMillis(restNs) + 1;
        return limited(new Limit(-1, restMs, settings.timedOut()), requests);
    }

    private <T> T limited(Limit asked, Callable<T> request) throws Exception {
        LIMIT.set(asked);
        try {
            return request.call();
        } finally {
            LIMIT.remove();
        }
    }

    @Override
    public byte[] send(byte[] request) {
        Limit asked = LIMIT.get();
        long restMs = asked == null ? Long.MAX_VALUE : asked.restMs();
        int usual = networkTimeoutMs == 0 ? READ_TIMEOUT_MS : networkTimeoutMs;
        int timeoutMs = (int) Math.min(usual, restMs);
        try {
            checkTls();
            for (int tries = 1; ; tries++) {
                HttpURLConnection connection = ask(request, asked, timeoutMs);
                if (connection.getResponseCode() != TOO_MANY_REQUESTS || tries == LOGIN_TRIES) {
                    return answer(connection);
                }
                Thread.sleep(LOGIN_PAUSE_MS);
            }
        } catch (SocketTimeoutException e) {
            String text = restMs < usual ? asked.late() : "no answer within " + timeoutMs + " ms";
            throw new TransportException(text, restMs < usual ? "57014" : "08006", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted", JdbcErrors.CANCELLED, e);
        } catch (IOException e) {
            throw new TransportException(
                    "the connection to the server failed: " + e.getMessage(), "08006", e);
        }
    }

    private HttpURLConnection ask(byte[] request, Limit asked, int timeoutMs) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        if (connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(trusted);
        }
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(timeoutMs);
        connection.setInstanceFollowRedirects(false); // a redirect would take the password along
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/x-google-protobuf");
        if (asked != null && asked.waitMs() >= 0) {
            connection.setRequestProperty(WeirServer.WAIT_HEADER, Long.toString(asked.waitMs()));
        }
        if (login != null) {
            connection.setRequestProperty("Authorization", login);
        }
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(request.length);
        try (OutputStream body = connection.getOutputStream()) {
            body.write(request);
        }
        return connection;
    }

    /** Without TLS, a server waits for the rest of a request, and we would wait too. */
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
            String why =
                    login == null
                            ? "the server wants user and password"
                            : "user or password are wrong";
            throw new TransportException(why, "28000", null);
        } else if (status == TOO_MANY_REQUESTS) {
            String why = "the server is checking too many passwords of this client; try again";
            throw new TransportException(why, "53300", null);
        }
        idleMs = connection.getHeaderFieldLong(WeirServer.IDLE_HEADER, idleMs);
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
