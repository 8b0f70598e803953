package io.weir.cluster.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.stream.Collectors;

/** Counters of a meter as text, for tests. */
public final class MeterText {
    private MeterText() {}

    /** A line of each counter that is not zero. */
    public static String nonZero(Meter meter) {
        Readings readings = new Readings();
        meter.read(readings);
        return readings.snapshots().stream()
                .filter(CounterSnapshot.class::isInstance)
                .flatMap(
                        snapshot ->
                                ((CounterSnapshot) snapshot)
                                        .getDataPoints().stream()
                                                .filter(point -> point.getValue() > 0)
                                                .map(
                                                        point ->
                                                                snapshot.getMetadata().getName()
                                                                        + point.getLabels()))
                .collect(Collectors.joining("\n"));
    }
}
