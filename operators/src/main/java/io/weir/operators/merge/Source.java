package io.weir.operators.merge;

import java.util.Comparator;

/**
 * Who sends partials.
 *
 * @param worker its name, for good
 * @param life one of its processes, from start to end; what it has not finished, none does
 */
public record Source(String worker, String life) implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
            Comparator.comparing(Source::worker).thenComparing(Source::life);

    @Override
    public int compareTo(Source other) {
        return ORDER.compare(this, other);
    }
}
