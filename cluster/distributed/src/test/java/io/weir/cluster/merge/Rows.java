package io.weir.cluster.merge;

import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows as text, by query, in the order in which they came. Any thread. */
final class Rows implements RowSink {
    private final Map<String, List<String>> byQuery = new TreeMap<>();

    @Override
    public synchronized void rows(RowBatch batch) {
        List<String> rows = byQuery.computeIfAbsent(batch.query().name(), q -> new ArrayList<>());
        for (int r = 0; r < batch.rows(); r++) {
            StringBuilder row = new StringBuilder();
            row.append(batch.windowStartNs()).append("..").append(batch.windowEndNs());
            for (int c = 0; c < batch.layout().columns().size(); c++) {
                row.append(' ').append(batch.value(r, c));
            }
            rows.add(row.toString());
        }
    }

    synchronized void add(String query, String row) {
        byQuery.computeIfAbsent(query, q -> new ArrayList<>()).add(row);
    }

    synchronized List<String> of(String query) {
        return List.copyOf(byQuery.getOrDefault(query, List.of()));
    }

    synchronized int count() {
        return byQuery.values().stream().mapToInt(List::size).sum();
    }
}
