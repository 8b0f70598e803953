package io.weir.cluster.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects the values of meters at one scrape. A name that several meters use is one metric. For
 * the same labels, counters are added up, and the later value of a gauge counts. By one thread.
 */
public final class Readings {
    private final Map<String, Metric> metrics = new LinkedHashMap<>();

    /**
     * @param help one sentence for people
     */
    private record Metric(String help, boolean isCounter, Map<Labels, Double> values) {}

    /** Reports a value that goes up and down. Labels are names and values in turn. */
    public void gauge(String name, String help, double value, String... labels) {
        metric(name, help, false).values().put(labels(labels), value);
    }

    /** Does the same for a whole number. */
    public void gauge(String name, String help, long value, String... labels) {
        gauge(name, help, (double) value, labels);
    }

    /** Does the same for a whole number. */
    public void counter(String name, String help, long value, String... labels) {
        counter(name, help, (double) value, labels);
    }

    /**
     * Reports a value that only goes up.
     *
     * @param name without {@code _total}
     */
    public void counter(String name, String help, double value, String... labels) {
        metric(name, help, true).values().merge(labels(labels), value, Double::sum);
    }

    private static Labels labels(String... labels) {
        return labels.length == 0 ? Labels.EMPTY : Labels.of(labels);
    }

    private Metric metric(String name, String help, boolean isCounter) {
        Metric metric =
                metrics.computeIfAbsent(
                        name, n -> new Metric(help, isCounter, new LinkedHashMap<>()));
        if (metric.isCounter() != isCounter) {
            throw new IllegalStateException(name + " is a counter and a gauge");
        }
        return metric;
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        metrics.forEach(
                (name, metric) ->
                        all.metricSnapshot(
                                metric.isCounter() ? counter(name, metric) : gauge(name, metric)));
        return all.build();
    }

    private static CounterSnapshot counter(String name, Metric metric) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(metric.help());
        metric.values()
                .forEach(
                        (labels, value) ->
                                counter.dataPoint(
                                        CounterDataPointSnapshot.builder()
                                                .labels(labels)
                                                .value(value)
                                                .build()));
        return counter.build();
    }

    private static GaugeSnapshot gauge(String name, Metric metric) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(metric.help());
        metric.values()
                .forEach(
                        (labels, value) ->
                                gauge.dataPoint(
                                        GaugeDataPointSnapshot.builder()
                                                .labels(labels)
                                                .value(value)
                                                .build()));
        return gauge.build();
    }
}
