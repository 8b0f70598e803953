package io.weir.cluster.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Offers rows as Prometheus' counters and gauges ({@link MetricsServer}). The results' thread gives
 * rows. A scrape delays it only while one query's series are copied.
 */
public final class PrometheusSink implements OutputSink {
    private final int series;
    private final Duration hold;
    private final Account account;
    private final OwnMetrics own = new OwnMetrics();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MetricsServer server;
    private final Map<String, QuerySeries> queries = new ConcurrentSkipListMap<>();
    private final Map<String, Stage> pages = new HashMap<>();
    private boolean ended;
    private boolean closed;

    /**
     * @param series limit of a query's metrics
     * @param hold after the input's end, for a last scrape
     * @param account gets the sink's own pages
     */
    public PrometheusSink(InetSocketAddress address, int series, Duration hold, Account account) {
        this.series = series;
        this.hold = hold;
        this.account = account;
        own.add(account);
        // Metrics that are made at each scrape go into the registry below Micrometer's.
        MultiCollector collector = this::snapshots;
        registry.getPrometheusRegistry().register(collector);
        server = new MetricsServer(address, own::scrape, registry::scrape);
        server.start();
    }

    /** Returns the process's metrics, to add further accounts. */
    public OwnMetrics own() {
        return own;
    }

    public int port() {
        return server.port();
    }

    /** Fails if rows of these queries cannot be series, or if their series would be the same. */
    public static void check(List<Query> queries) {
        Set<String> names = new HashSet<>();
        for (Query query : queries) {
            if (query.aggregate().isEmpty() && query.reads().comesAsGpvs()) {
                throw refused(
                        query,
                        "has a row for each packet: no series are made of it",
                        "a prometheus sink takes queries with GROUP BY or aggregates");
            }
            for (String name : QuerySeries.names(query)) {
                if (!names.add(name)) {
                    throw refused(query, "has " + name + " twice, or another has it", "AS renames");
                }
            }
        }
    }

    private static WeirException refused(Query query, String why, String hint) {
        return new WeirException(
                ErrorCode.NOT_SUPPORTED, "query " + query.name() + " " + why, hint);
    }

    @Override
    public void rows(RowBatch batch) {
        rows(batch, "");
    }

    @Override
    public void rows(RowBatch batch, String part) {
        Query query = batch.query();
        QuerySeries known = queries.get(query.name());
        if (known == null || !known.isOf(query)) {
            // The series of a new version begin at zero, like those of a restarted process.
            checkBesides(query);
            known = new QuerySeries(query, series, pages.computeIfAbsent(query.name(), this::page));
            queries.put(query.name(), known);
        }
        known.rows(batch, part);
    }

    private void checkBesides(Query query) {
        List<Query> all =
                new ArrayList<>(queries.values().stream().map(QuerySeries::query).toList());
        all.removeIf(other -> other.name().equals(query.name()));
        all.add(query);
        check(all);
    }

    private Stage page(String query) {
        return account.stage("rows of " + query + " to prometheus");
    }

    @Override
    public void dropped(String query) {
        queries.remove(query);
    }

    private MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        queries.values().forEach(query -> query.snapshots().forEach(all::metricSnapshot));
        return all.build();
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (ended) {
                Thread.sleep(hold.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            server.close();
            own.close();
            registry.close();
        }
    }
}
