package io.weir.cluster.merge;

import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.metrics.StageMeter;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.operators.account.Stage;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Shows a merge instance to Prometheus: messages and windows by shard, and how far it is behind.
 */
final class MergeMeter implements Meter {
    private static final String FETCHING = "consumer-fetch-manager-metrics";
    private static final String LAG = "records-lag";

    private final MergeMetrics metrics;
    private final KafkaStreams streams;
    private final Stage triggers;
    private final StallWatch stalls;

    MergeMeter(MergeMetrics metrics, KafkaStreams streams, Stage triggers, StallWatch stalls) {
        this.stalls = stalls;
        this.metrics = metrics;
        this.streams = streams;
        this.triggers = triggers;
    }

    @Override
    public void read(Readings out) {
        boolean running = streams.state() == KafkaStreams.State.RUNNING;
        out.gauge("weir_merge_running", "1 when the merge has its shards", running ? 1 : 0);
        out.counter("weir_merge_rows", "Rows made of merged windows", metrics.rows());
        out.counter("weir_merge_malformed", "Records that are no parcels", metrics.malformed());
        String stalled = "For how long the merge has stood still; 0 where it goes on";
        long seconds = stalls.stalls().stream().mapToLong(MergeStall::seconds).max().orElse(0);
        out.gauge("weir_merge_stalled_seconds", stalled, seconds);
        metrics.tasks().forEach((shard, counts) -> read(shard, counts, out));
        StageMeter.read(triggers.snapshot(), out);
        for (Metric metric : streams.metrics().values()) {
            readLag(metric, out);
        }
    }

    private static void read(String shard, MergeCounts counts, Readings out) {
        StageMeter.read(MergeStages.messages(counts), out, "shard", shard);
        StageMeter.read(MergeStages.store(counts), out, "shard", shard);
        String windows =
                "Windows: final ones; no_memory, those of them without rows, or groups, for want of"
                        + " memory; late, cut, and of versions replaced since, of one worker each;"
                        + " forgotten, those of a query over rows that lack some after a start";
        String name = "weir_merge_windows";
        out.counter(name, windows, counts.finalWindows().get(), "shard", shard, "what", "final");
        long unmade = counts.unmadeWindows().get();
        out.counter(name, windows, unmade, "shard", shard, "what", "no_memory");
        out.counter(name, windows, counts.lateWindows().get(), "shard", shard, "what", "late");
        out.counter(name, windows, counts.cutWindows().get(), "shard", shard, "what", "cut");
        long replaced = counts.replacedWindows().get();
        out.counter(name, windows, replaced, "shard", shard, "what", "replaced");
        long forgotten = counts.forgottenWindows().get();
        out.counter(name, windows, forgotten, "shard", shard, "what", "forgotten");
        String late = "Packets in windows that came after their rows were made";
        out.counter("weir_merge_late_packets", late, counts.latePackets().get(), "shard", shard);
        String given = "How often a worker was no longer waited for";
        out.counter("weir_merge_timeouts", given, counts.timeouts().get(), "shard", shard);
    }

    private static void readLag(Metric metric, Readings out) {
        MetricName name = metric.metricName();
        if (name.group().equals(FETCHING)
                && name.name().equals(LAG)
                && metric.metricValue() instanceof Double lag
                && !lag.isNaN()) {
            out.gauge(
                    "weir_kafka_lag_records",
                    "Records that are there and were not read yet",
                    lag,
                    "topic",
                    name.tags().get("topic"),
                    "partition",
                    name.tags().get("partition"));
        }
    }
}
