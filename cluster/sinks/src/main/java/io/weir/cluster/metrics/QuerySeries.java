package io.weir.cluster.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import io.weir.cluster.sink.CellText;
import io.weir.cluster.sink.ColumnRole;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A query's rows as series: a metric {@code weir_QUERY_COLUMN} for each value column, a series for
 * each tuple of its label columns. A counter adds up the windows' values, or follows a running
 * total. A gauge has the last window's value. A group that is not in that window has no value, and
 * so no series. If several writers make a query's rows, each has its own last window. The window of
 * a writer that is silent for long, compared to the others, is removed.
 *
 * <p>The number of series of a metric is bounded. Rows of further tuples go to one series whose
 * labels are all {@code other}: a sum in counters, the greatest in gauges. They are counted.
 * Guarded by itself.
 */
final class QuerySeries {
    private static final String OTHER = "other";
    private static final double NS_A_SECOND = 1e9;

    /** A writer whose last window ended so long before others' has no last window any more. */
    private static final long SILENT_NS = 60_000_000_000L;

    private static final long SILENT_WINDOWS = 3;

    private final Query query;
    private final String name;
    private final List<Variable> columns;
    private final boolean isWindowed;
    private final int[] labels;
    private final int[] values;
    private final ColumnRole[] roles;
    private final boolean hasCounters;
    private final int limit;
    private final Stage rows;
    private final CellText cells = new CellText();
    private final Map<List<String>, Series> series = new LinkedHashMap<>();
    private final List<String> others;
    private final Map<String, Part> parts = new HashMap<>();
    private long newestNs = Long.MIN_VALUE;

    /** The values of a tuple, and the last writer with a row of it. */
    private static final class Series {
        private final double[] values;
        private Part part;

        Series(int values) {
            this.values = new double[values];
            Arrays.fill(this.values, Double.NaN);
        }
    }

    /** A writer of rows: its last window, and its values beyond the limit. */
    private static final class Part {
        private long windowEndNs = Long.MIN_VALUE;
        private Series other;
    }

    /**
     * @param limit of series a metric, without {@code other}
     * @param rows the query's page in the account, in rows
     */
    QuerySeries(Query query, int limit, Stage rows) {
        this.query = query;
        this.limit = limit;
        this.rows = rows;
        name = PrometheusNaming.sanitizeMetricName("weir_" + plain(query.name()));
        columns = query.columns();
        isWindowed = query.aggregate().flatMap(a -> a.window()).isPresent();
        roles = ColumnRole.of(query).toArray(ColumnRole[]::new);
        labels = places(ColumnRole.LABEL);
        values = places(ColumnRole.COUNTER, ColumnRole.GAUGE);
        hasCounters = Arrays.asList(roles).contains(ColumnRole.COUNTER);
        others = Arrays.stream(labels).mapToObj(column -> OTHER).toList();
    }

    private int[] places(ColumnRole... wanted) {
        List<ColumnRole> all = Arrays.asList(wanted);
        List<Integer> places = new ArrayList<>();
        for (int column = 0; column < roles.length; column++) {
            if (all.contains(roles[column])) {
                places.add(column);
            }
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    private static String plain(String identifier) {
        return identifier.replaceAll("[^A-Za-z0-9_]", "_");
    }

    Query query() {
        return query;
    }

    /** Returns whether it has the rows of this version of the query. */
    boolean isOf(Query version) {
        return query.equals(version);
    }

    synchronized void rows(RowBatch batch, String from) {
        Part part = parts.computeIfAbsent(from, name -> new Part());
        if (isWindowed && batch.windowEndNs() != part.windowEndNs) {
            forgetWindow(part);
            newestNs = Math.max(newestNs, batch.windowEndNs());
            forgetSilent(batch.windowEndNs() - batch.windowStartNs());
        }
        part.windowEndNs = batch.windowEndNs();
        rows.offered().add(batch.rows());
        for (int row = 0; row < batch.rows(); row++) {
            Series of = seriesOf(batch, row, part);
            if (of == part.other) {
                rows.excluded("folded").add(1);
            } else {
                rows.processed().add(1);
            }
            of.part = part;
            for (int v = 0; v < values.length; v++) {
                of.values[v] = next(batch, row, v, of.values, of == part.other);
            }
        }
    }

    /** Gauges end with their window. If there are only gauges, their series end too. */
    private void forgetWindow(Part part) {
        if (!hasCounters) {
            series.values().removeIf(each -> each.part == part);
            part.other = null;
            return;
        }
        for (Series each : series.values()) {
            if (each.part == part) {
                forgetGauges(each);
            }
        }
        if (part.other != null) {
            forgetGauges(part.other);
        }
    }

    private void forgetSilent(long lengthNs) {
        long oldestNs = newestNs - Math.max(SILENT_NS, SILENT_WINDOWS * lengthNs);
        for (Iterator<Part> each = parts.values().iterator(); each.hasNext(); ) {
            Part part = each.next();
            if (part.windowEndNs != Long.MIN_VALUE && part.windowEndNs < oldestNs) {
                forgetWindow(part);
                part.windowEndNs = Long.MIN_VALUE;
                if (part.other == null) {
                    each.remove();
                }
            }
        }
    }

    private void forgetGauges(Series of) {
        for (int v = 0; v < values.length; v++) {
            if (roles[values[v]] == ColumnRole.GAUGE) {
                of.values[v] = Double.NaN;
            }
        }
    }

    private Series seriesOf(RowBatch batch, int row, Part part) {
        List<String> tuple = new ArrayList<>(labels.length);
        for (int column : labels) {
            tuple.add(cells.text(batch, row, column, columns.get(column).type().kind()));
        }
        Series known = series.get(tuple);
        if (known != null) {
            return known;
        }
        if (series.size() < limit) {
            Series made = new Series(values.length);
            series.put(tuple, made);
            return made;
        }
        if (part.other == null) {
            part.other = new Series(values.length);
        }
        return part.other;
    }

    private double next(RowBatch batch, int row, int v, double[] of, boolean isOther) {
        int column = values[v];
        if (batch.isNull(row, column)) {
            return of[v];
        }
        double value = value(batch, row, column);
        boolean isCounter = roles[column] == ColumnRole.COUNTER;
        if (isCounter && isOther && !isWindowed) {
            // The total of many running totals would need a memory of each.
            return Double.NaN;
        }
        if (Double.isNaN(of[v])) {
            return value;
        }
        if (isCounter) {
            // A running total already contains its earlier values.
            return isWindowed ? of[v] + value : Math.max(of[v], value);
        }
        return isOther ? Math.max(of[v], value) : value;
    }

    private double value(RowBatch batch, int row, int column) {
        Kind kind = columns.get(column).type().kind();
        return switch (kind) {
            case DOUBLE -> batch.real(row, column);
            case INTERVAL -> batch.word(row, column) / NS_A_SECOND;
            default -> batch.word(row, column);
        };
    }

    /**
     * Returns the names of the query's metrics, and of its labels with each. No two may be the
     * same, nor may two queries have one metric.
     */
    static List<String> names(Query query) {
        QuerySeries of = new QuerySeries(query, 1, new Stage(query.name()));
        List<String> names = new ArrayList<>();
        for (int column : of.values) {
            names.add(of.metric(of.columns.get(column)));
        }
        for (int column : of.labels) {
            names.add("label " + label(of.columns.get(column).name()) + " of " + query.name());
        }
        return names;
    }

    private String metric(Variable column) {
        String unit = column.type().kind() == Kind.INTERVAL ? "_seconds" : "";
        return name + "_" + plain(column.name()).replaceFirst("_total$", "") + unit;
    }

    /** Returns the series for Prometheus. */
    synchronized List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> all = new ArrayList<>();
        for (int v = 0; v < values.length; v++) {
            all.add(snapshot(v));
        }
        return all;
    }

    private MetricSnapshot snapshot(int v) {
        Variable column = columns.get(values[v]);
        String metric = metric(column);
        if (roles[values[v]] == ColumnRole.COUNTER) {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(metric).help("adds up over windows");
            each(
                    v,
                    (tuple, value) ->
                            counter.dataPoint(
                                    CounterSnapshot.CounterDataPointSnapshot.builder()
                                            .labels(tuple)
                                            .value(value)
                                            .build()));
            return counter.build();
        }
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name(metric).help("of the last window");
        each(
                v,
                (tuple, value) ->
                        gauge.dataPoint(
                                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                        .labels(tuple)
                                        .value(value)
                                        .build()));
        return gauge.build();
    }

    private interface Point {
        void at(Labels labels, double value);
    }

    private void each(int v, Point point) {
        series.forEach((tuple, of) -> put(tuple, of.values[v], point));
        boolean isCounter = roles[values[v]] == ColumnRole.COUNTER;
        double folded = Double.NaN;
        for (Part part : parts.values()) {
            if (part.other != null) {
                folded = folded(folded, part.other.values[v], isCounter);
            }
        }
        put(others, folded, point);
    }

    private static double folded(double one, double other, boolean isCounter) {
        if (Double.isNaN(one) || Double.isNaN(other)) {
            return Double.isNaN(one) ? other : one;
        }
        return isCounter ? one + other : Math.max(one, other);
    }

    private void put(List<String> tuple, double value, Point point) {
        if (!Double.isNaN(value)) {
            Labels.Builder builder = Labels.builder();
            for (int l = 0; l < labels.length; l++) {
                builder.label(label(columns.get(labels[l]).name()), tuple.get(l));
            }
            point.at(builder.build(), value);
        }
    }

    /** Prometheus forbids labels that begin with two underscores. */
    private static String label(String column) {
        return PrometheusNaming.sanitizeLabelName(plain(column).replaceFirst("^__+", "_"));
    }
}
