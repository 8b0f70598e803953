package io.weir.cluster.protocol;

import java.util.Comparator;

/**
 * A sender of partials.
 *
 * @param worker its name, for good
 * @param life one of its processes, from start to end; windows that it has not finished are never
 *     finished
 */
public record WorkerEpoch(String worker, String life) implements Comparable<WorkerEpoch> {
    private static final Comparator<WorkerEpoch> ORDER =
            Comparator.comparing(WorkerEpoch::worker).thenComparing(WorkerEpoch::life);

    @Override
    public int compareTo(WorkerEpoch other) {
        return ORDER.compare(this, other);
    }
}
