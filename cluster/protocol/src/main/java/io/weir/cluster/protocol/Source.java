package io.weir.cluster.protocol;

import java.util.Comparator;

/**
 * A sender of partials.
 *
 * @param worker its name, for good
 * @param life one of its processes, from start to end; windows that it has not finished are never
 *     finished
 */
public record Source(String worker, String life) implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
            Comparator.comparing(Source::worker).thenComparing(Source::life);

    @Override
    public int compareTo(Source other) {
        return ORDER.compare(this, other);
    }
}
