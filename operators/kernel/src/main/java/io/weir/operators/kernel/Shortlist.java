package io.weir.operators.kernel;

import io.weir.operators.kernel.Threshold.Figure;
import io.weir.operators.map.FlatMap;
import io.weir.operators.window.Tables;
import java.util.Arrays;
import java.util.List;

/**
 * The groups of a window that at least one of many queries may want. Each query has its own
 * threshold for the same figure. One pass over the groups makes the list, with one comparison for a
 * group that no query wants. A query then looks only at groups that pass its threshold. One thread;
 * valid as long as the groups do not move.
 */
public final class Shortlist {
    /** The groups of one table that pass the least threshold, in the order of their keys. */
    private static final class Listed {
        private final long[] entries;

        /** Entry numbers. Groups that pass the greatest threshold come first. */
        private final int[] byStep;

        /** The number of groups that pass each threshold. */
        private final int[] passing;

        Listed(long[] entries, int[] byStep, int[] passing) {
            this.entries = entries;
            this.byStep = byStep;
            this.passing = passing;
        }
    }

    private final Figure figure;
    private final long[] steps;
    private final Listed[] tables;

    /**
     * @param parts of the window; no group is in two of them
     * @param thresholds for the same figure
     * @param orders of the groups of each table
     */
    Shortlist(List<Tables> parts, List<Threshold> thresholds, KeyOrder[] orders) {
        steps = thresholds.stream().mapToLong(Threshold::least).sorted().distinct().toArray();
        figure = thresholds.get(0).figure();
        tables = new Listed[orders.length];
        for (int t = 0; t < tables.length; t++) {
            Addresses passing = new Addresses();
            for (Tables part : parts) {
                add(part.table(t), passing);
            }
            passing.sort(orders[t]);
            tables[t] = listed(passing, orders[t].words() * Long.BYTES);
        }
    }

    /** Returns whether the list was made for that threshold too. */
    boolean has(Threshold threshold) {
        return threshold.figure().equals(figure)
                && Arrays.binarySearch(steps, threshold.least()) >= 0;
    }

    private void add(FlatMap groups, Addresses passing) {
        long least = steps[0];
        int keyBytes = groups == null ? 0 : groups.keyBytes();
        long entry = groups == null ? 0 : groups.firstEntry();
        for (; entry != 0; entry = groups.nextEntry(entry)) {
            if (figure.of(entry + keyBytes) >= least) {
                passing.add(entry);
            }
        }
    }

    /** Sorts groups by the number of thresholds that they pass, the highest number first. */
    private Listed listed(Addresses passing, int keyBytes) {
        int[] step = new int[passing.count()];
        int[] counts = new int[steps.length];
        long[] entries = new long[step.length];
        for (int i = 0; i < step.length; i++) {
            entries[i] = passing.at(i);
            step[i] = stepOf(figure.of(entries[i] + keyBytes));
            counts[step[i]]++;
        }
        int[] next = new int[steps.length];
        for (int s = steps.length - 2; s >= 0; s--) {
            next[s] = counts[s + 1];
            counts[s] += counts[s + 1];
        }
        int[] byStep = new int[step.length];
        for (int i = 0; i < step.length; i++) {
            byStep[next[step[i]]++] = i;
        }
        return new Listed(entries, byStep, counts);
    }

    /** Returns the number of the greatest threshold that a figure passes. */
    private int stepOf(long figure) {
        int at = Arrays.binarySearch(steps, figure);
        return at >= 0 ? at : -2 - at;
    }

    /** Returns the entries of a table that pass the threshold, in the order of their keys. */
    long[] passing(Threshold threshold, int table) {
        Listed listed = tables[table];
        int from = Arrays.binarySearch(steps, threshold.least());
        int[] passing = Arrays.copyOf(listed.byStep, listed.passing[from]);
        Arrays.sort(passing);
        long[] entries = new long[passing.length];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = listed.entries[passing[i]];
        }
        return entries;
    }
}
