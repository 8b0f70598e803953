package io.weir.cluster.alert;

import io.weir.cluster.sink.CellText;
import io.weir.cluster.sink.ColumnRole;
import io.weir.cluster.sink.JsonText;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns a query's rows into alerts of Alertmanager's API v2. Columns that identify the row become
 * labels. Numbers and times become annotations, because they may change while the alert stays the
 * same. One thread.
 */
final class Alerts {
    private static final long SECOND_NS = 1_000_000_000L;

    private final Query query;
    private final List<Variable> columns;
    private final List<ColumnRole> roles;
    private final List<String> keys;
    private final Map<String, String> labels;
    private final CellText cells = new CellText();

    /**
     * @param labels of every alert, besides {@code alertname} and {@code query}
     */
    Alerts(Query query, Map<String, String> labels) {
        this.query = query;
        this.labels = labels;
        columns = query.columns();
        roles = ColumnRole.of(query);
        keys = keys(columns, labels.keySet());
    }

    /** Returns whether it is for this version of the query. */
    boolean isOf(Query version) {
        return query.equals(version);
    }

    /**
     * Returns the alert of a row, as a JSON object.
     *
     * @param endsAt when it is resolved, unless a row of the same labels comes before
     */
    String json(RowBatch batch, int row, Instant now, Instant endsAt) {
        StringBuilder labelled = new StringBuilder("{\"alertname\":");
        labelled.append(JsonText.quote(query.name()));
        labels.forEach((name, value) -> member(labelled, name, value));
        StringBuilder summary = new StringBuilder(query.name());
        StringBuilder annotated = new StringBuilder("{\"query\":");
        annotated.append(JsonText.quote(query.sql()));
        for (int column = 0; column < columns.size(); column++) {
            if (!batch.isNull(row, column)) {
                boolean isLabel = roles.get(column) == ColumnRole.LABEL;
                String text = cells.text(batch, row, column, columns.get(column).type().kind());
                member(isLabel ? labelled : annotated, keys.get(column), text);
                if (isLabel) {
                    summary.append(' ').append(text);
                }
            }
        }
        member(annotated, "summary", summary.toString());
        return "{\"labels\":"
                + labelled
                + "},\"annotations\":"
                + annotated
                + "},\"startsAt\":\""
                + start(batch, now)
                + "\",\"endsAt\":\""
                + endsAt
                + "\"}";
    }

    /**
     * Returns the window's start; now if there is none, or if it lies in the future of this clock.
     */
    private static Instant start(RowBatch batch, Instant now) {
        long ns = batch.windowStartNs();
        if (ns == Long.MIN_VALUE) {
            return now;
        }
        Instant start =
                Instant.ofEpochSecond(Math.floorDiv(ns, SECOND_NS), Math.floorMod(ns, SECOND_NS));
        return start.isBefore(now) ? start : now;
    }

    /** Returns names that Alertmanager accepts. They are unique for any columns and members. */
    private static List<String> keys(List<Variable> columns, Set<String> given) {
        Set<String> taken = new HashSet<>(given);
        taken.addAll(List.of("alertname", "query", "summary"));
        List<String> keys = new ArrayList<>();
        for (Variable column : columns) {
            String key =
                    column.name().replaceAll("[^A-Za-z0-9_]", "_").replaceFirst("^(?=[0-9])", "_");
            while (!taken.add(key)) {
                key = "_" + key;
            }
            keys.add(key);
        }
        return keys;
    }

    private static void member(StringBuilder json, String name, String text) {
        json.append(',').append(JsonText.quote(name)).append(':').append(JsonText.quote(text));
    }
}
