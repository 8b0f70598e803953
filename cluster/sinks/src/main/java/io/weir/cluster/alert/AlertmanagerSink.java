package io.weir.cluster.alert;

import io.weir.cluster.sink.OutputSink;
import io.weir.operators.account.Stage;
import io.weir.operators.rows.RowBatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts each row as an alert to an Alertmanager (API v2). A thread of its own posts; the results'
 * thread only fills a queue. A row with the labels of a firing alert renews it. Without one it is
 * resolved after a time.
 *
 * <p>While nobody answers, or answers 5xx or 429, it tries again, with growing pauses. An alert
 * that Alertmanager refuses is lost, counted, and reported once. At the close waiting alerts have
 * ten seconds.
 */
public final class AlertmanagerSink implements OutputSink {
    private static final Logger LOG = LoggerFactory.getLogger(AlertmanagerSink.class);
    private static final int MOST_A_POST = 200;
    private static final long LONGEST_WAIT_MS = 5_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LAST = Duration.ofSeconds(10);

    private final URI alerts;
    private final Duration resolve;
    private final Map<String, String> labels;
    private final InstantSource clock;
    private final AlertQueue queue;
    private final Map<String, Alerts> byQuery = new LinkedHashMap<>();
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Thread sender = new Thread(this::send, "alerts");
    private volatile boolean closing;
    private boolean hasToldRefusal;
    private boolean closed;

    /**
     * @param url of the Alertmanager; a path is a prefix
     * @param resolve the time after which an alert ends that no row renews
     * @param labels of every alert
     * @param bound of waiting alerts
     * @param rows its page in the account, in rows
     */
    public AlertmanagerSink(
            URI url,
            Duration resolve,
            Map<String, String> labels,
            int bound,
            InstantSource clock,
            Stage rows) {
        alerts = URI.create(url.toString().replaceFirst("/+$", "") + "/api/v2/alerts");
        this.resolve = resolve;
        this.labels = Map.copyOf(labels);
        this.clock = clock;
        queue = new AlertQueue(bound, rows);
        sender.setDaemon(true);
        sender.start();
    }

    @Override
    public void rows(RowBatch batch) {
        Alerts made = byQuery.get(batch.query().name());
        if (made == null || !made.isOf(batch.query())) {
            made = new Alerts(batch.query(), labels);
            byQuery.put(batch.query().name(), made);
        }
        Instant now = clock.instant();
        Instant endsAt = now.plus(resolve);
        for (int row = 0; row < batch.rows(); row++) {
            queue.put(made.json(batch, row, now, endsAt));
        }
    }

    private void send() {
        try {
            while (!(closing && queue.isEmpty())) {
                List<String> some = queue.take(MOST_A_POST, 100);
                if (!some.isEmpty()) {
                    post("[" + String.join(",", some) + "]");
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void post(String body) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(alerts)
                        .timeout(TIMEOUT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                        .build();
        boolean told = false;
        for (long waitMs = 100; ; waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs)) {
            String problem;
            try {
                HttpResponse<String> answer =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                int code = answer.statusCode();
                if (code / 100 == 2) {
                    queue.settle(null);
                    return;
                }
                problem = "answers " + code + " " + answer.body().strip();
                if (code / 100 != 5 && code != 429) {
                    refused(problem);
                    return;
                }
            } catch (IOException unreachable) {
                problem = "cannot be reached: " + unreachable;
            }
            if (!told) {
                LOG.warn("alertmanager {} {}; trying again", alerts, problem);
                told = true;
            }
            Thread.sleep(waitMs);
        }
    }

    private void refused(String problem) {
        queue.settle("refused");
        if (!hasToldRefusal) {
            hasToldRefusal = true;
            LOG.warn("alertmanager {} {}", alerts, problem);
        }
    }

    /** Waits for alerts on their way, but not for long. The rest is counted as lost. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        closing = true;
        boolean isInterrupted = !join(LAST.toMillis());
        sender.interrupt();
        while (sender.isAlive()) {
            isInterrupted |= !join(0);
        }
        if (!queue.isEmpty()) {
            queue.abandon();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it was not interrupted. */
    private boolean join(long mostMs) {
        try {
            sender.join(mostMs);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
