package io.weir.operators.sketch;

import io.weir.operators.graph.Inet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.frequencies.LongsSketch;

/**
 * The most frequent values: Misra and Gries' counters, as the library keeps them. One-word values
 * and IPv4 addresses in one map, IPv6 addresses in another.
 */
public final class TopSketch extends Sketch {
    /** Counters of each map. */
    static final int COUNTERS = 1_024;

    /** Of longs 16 bytes a counter and a byte of state; of addresses an object more. */
    private static final int MAX_BYTES = COUNTERS * 17 + COUNTERS * 64;

    private record Ranked(long family, long high, long low, long count) {}

    private final LongsSketch words = new LongsSketch(COUNTERS);
    private ItemsSketch<Inet> v6;
    private List<Ranked> ranking;

    /** How far a count may be above or below the true one, as a share of all values. */
    public static double error() {
        return LongsSketch.getEpsilon(COUNTERS);
    }

    void add(long word) {
        ranking = null;
        words.update(word);
    }

    void add(long family, long high, long low) {
        if (family == 4) {
            add(low);
            return;
        }
        ranking = null;
        if (v6 == null) {
            v6 = new ItemsSketch<>(COUNTERS);
        }
        v6.update(new Inet((int) family, high, low));
    }

    /** Values by count, the most frequent first; equal counts by value. */
    private Ranked ranked(long rank) {
        if (ranking == null) {
            ranking = new ArrayList<>();
            for (LongsSketch.Row row : words.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
                ranking.add(new Ranked(4, 0, row.getItem(), row.getEstimate()));
            }
            if (v6 != null) {
                for (ItemsSketch.Row<Inet> row :
                        v6.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
                    Inet item = row.getItem();
                    ranking.add(new Ranked(6, item.high(), item.low(), row.getEstimate()));
                }
            }
            ranking.sort(
                    Comparator.comparingLong(Ranked::count)
                            .reversed()
                            .thenComparingLong(Ranked::family)
                            .thenComparing(Ranked::high, Long::compareUnsigned)
                            .thenComparing(Ranked::low, Long::compareUnsigned));
        }
        return rank > 0 && rank <= ranking.size() ? ranking.get((int) rank - 1) : null;
    }

    boolean has(long rank) {
        return ranked(rank) != null;
    }

    long count(long rank) {
        return ranked(rank).count();
    }

    long family(long rank) {
        return ranked(rank).family();
    }

    long high(long rank) {
        return ranked(rank).high();
    }

    long low(long rank) {
        return ranked(rank).low();
    }

    @Override
    int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    Sketch another() {
        return new TopSketch();
    }

    @Override
    void merge(Sketch other) {
        TopSketch from = (TopSketch) other;
        ranking = null;
        words.merge(from.words);
        if (from.v6 != null) {
            if (v6 == null) {
                v6 = new ItemsSketch<>(COUNTERS);
            }
            v6.merge(from.v6);
        }
    }
}
