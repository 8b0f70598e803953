package io.weir.ingest.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table that grows: sums, a first and last time, and distinct values, by a key as text. */
final class Tally {
    /** One row's numbers. */
    static final class Row {
        private final long[] sums;
        private final List<Set<String>> distinct = new ArrayList<>();
        private long firstNs = Long.MAX_VALUE;
        private long lastNs = Long.MIN_VALUE;

        private Row(int sums, int distinct) {
            this.sums = new long[sums];
            for (int i = 0; i < distinct; i++) {
                this.distinct.add(new HashSet<>());
            }
        }

        Row add(long... values) {
            for (int i = 0; i < values.length; i++) {
                sums[i] += values[i];
            }
            return this;
        }

        Row at(long tsNs) {
            firstNs = Math.min(firstNs, tsNs);
            lastNs = Math.max(lastNs, tsNs);
            return this;
        }

        Row seen(String... values) {
            for (int i = 0; i < values.length; i++) {
                distinct.get(i).add(values[i]);
            }
            return this;
        }
    }

    private final int sums;
    private final int distinct;
    private final boolean times;
    private final Map<String, Row> rows = new HashMap<>();

    Tally(int sums, int distinct, boolean times) {
        this.sums = sums;
        this.distinct = distinct;
        this.times = times;
    }

    Row row(String key) {
        return rows.computeIfAbsent(key, k -> new Row(sums, distinct));
    }

    /** Each row as its key, sums, times and distinct counts, joined by commas. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        rows.forEach(
                (key, row) -> {
                    StringBuilder line = new StringBuilder(key);
                    for (long sum : row.sums) {
                        line.append(',').append(sum);
                    }
                    if (times) {
                        line.append(',').append(row.firstNs).append(',').append(row.lastNs);
                    }
                    row.distinct.forEach(values -> line.append(',').append(values.size()));
                    lines.add(line.toString());
                });
        return lines;
    }
}
