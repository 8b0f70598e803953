package io.weir.cluster.http;

import io.weir.cluster.http.HttpStep.Answer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;

/**
 * One client's connection. Its thread reads a request, gets the answer, and reads the next one. The
 * listener's watch closes it if its client is late.
 */
final class HttpConnection implements Runnable {
    private static final int MOST_SKIPPED_BYTES = 64 << 10;
    private static final byte[] CONTINUE = HttpReader.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    /** The event that the connection waits for. */
    enum Phase {
        /** The client's next request. */
        IDLE,
        /** The rest of a request, or of TLS's handshake. */
        READING,
        /** The handler. */
        WORKING,
        /** The client, to take the answer. */
        WRITING
    }

    private final Socket raw;
    private final HttpListener listener;
    private final InetAddress client;
    private volatile Phase phase = Phase.READING;
    private volatile long sinceNs;
    private volatile long deadlineNs;
    private OutputStream out;
    private HttpReader in;

    HttpConnection(Socket raw, HttpListener listener) {
        this.raw = raw;
        this.listener = listener;
        client = raw.getInetAddress();
        await(Phase.READING, listener.limits().head().toNanos());
    }

    private void await(Phase next, long limitNs) {
        long now = listener.nowNs();
        deadlineNs = now + limitNs;
        sinceNs = now;
        phase = next;
    }

    Phase phase() {
        return phase;
    }

    InetAddress client() {
        return client;
    }

    /** Returns the begin of the present wait. */
    long sinceNs() {
        return sinceNs;
    }

    boolean isLate(long nowNs) {
        return phase != Phase.WORKING && nowNs - deadlineNs > 0;
    }

    /** Closes it at once, whatever its thread does. */
    void abort() {
        try {
            raw.close();
        } catch (IOException e) {
            // It has gone already.
        }
    }

    @Override
    public void run() {
        try {
            raw.setTcpNoDelay(true);
            Socket socket = listener.secured(raw);
            out = socket.getOutputStream();
            in = new HttpReader(new BufferedInputStream(socket.getInputStream()));
            boolean goesOn = request();
            while (goesOn) {
                goesOn = request();
            }
        } catch (IOException | RuntimeException e) {
            // The client, or the watch, has closed it, or TLS failed. Nobody can be told.
        } finally {
            listener.ended(this);
            abort();
        }
    }

    /** Serves one request. Returns false if no other follows. */
    private boolean request() throws IOException {
        int first = in.first();
        if (first < 0) {
            return false;
        }
        await(Phase.READING, listener.limits().head().toNanos());
        try {
            HttpHead head = in.head(first, client);
            boolean last = in.isLast(head);
            long length = in.bodyBytes(head);
            phase = Phase.WORKING;
            HttpStep step = listener.begin(head);
            if (step instanceof HttpStep.Body wanted) {
                return write(head, answer(head, length, wanted), last);
            }
            Answer refusal = (Answer) step;
            boolean skipped = length >= 0 && length < MOST_SKIPPED_BYTES && !expects(head);
            if (skipped) {
                read((int) length);
            }
            return write(head, refusal, last || !skipped);
        } catch (HttpFault fault) {
            return write(null, Answer.of(fault.status()), true);
        }
    }

    private static boolean expects(HttpHead head) {
        return head.header("expect").isPresent();
    }

    private void read(int length) throws IOException {
        await(Phase.READING, listener.limits().transferNs(length));
        in.skip(length);
    }

    private Answer answer(HttpHead head, long length, HttpStep.Body wanted)
            throws IOException, HttpFault {
        if (length > wanted.mostBytes()) {
            throw new HttpFault(413);
        }
        long most = length < 0 ? wanted.mostBytes() : length;
        await(Phase.READING, listener.limits().transferNs(most));
        if (expects(head)) {
            out.write(CONTINUE);
        }
        byte[] body = in.body(length, wanted.mostBytes());
        phase = Phase.WORKING;
        return listener.answer(wanted, body);
    }

    /** Returns whether another request may follow. */
    private boolean write(HttpHead head, Answer answer, boolean last) throws IOException {
        listener.count(answer.status());
        await(Phase.WRITING, listener.limits().transferNs(answer.body().length));
        StringBuilder text = new StringBuilder("HTTP/1.1 ").append(answer.status());
        text.append(' ').append(HttpListener.reason(answer.status())).append("\r\n");
        for (Map.Entry<String, String> header : answer.headers().entrySet()) {
            text.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        text.append("Content-Length: ").append(answer.body().length).append("\r\n");
        long idleSeconds = Math.max(1, listener.limits().idle().toSeconds() / 2);
        text.append(last ? "Connection: close" : "Keep-Alive: timeout=" + idleSeconds);
        text.append("\r\n\r\n");
        byte[] start = HttpReader.ascii(text.toString());
        boolean bare = head != null && head.method().equals("HEAD");
        byte[] all = new byte[start.length + (bare ? 0 : answer.body().length)];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(answer.body(), 0, all, start.length, all.length - start.length);
        out.write(all);
        out.flush();
        if (last) {
            linger();
            return false;
        }
        await(Phase.IDLE, listener.limits().idle().toNanos());
        return true;
    }

    /** To close a socket with unread bytes would destroy the answer. */
    private void linger() throws IOException {
        if (!listener.isTls()) {
            raw.shutdownOutput();
        }
        await(Phase.READING, 1_000_000_000L);
        in.skip(MOST_SKIPPED_BYTES);
    }
}
