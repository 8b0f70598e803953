package io.weir.cluster.node;

import java.util.Map;

/** Knows what helps against a loss, by its reason in the account. The runbook says more. */
public final class Remedies {
    private static final Map<String, String> BY_REASON =
            Map.ofEntries(
                    Map.entry("state_full", "raise memory, or group less"),
                    Map.entry("set_full", "raise bindings, or set binding_idle"),
                    Map.entry("rows_forgotten", "raise bindings"),
                    Map.entry("left_out", "raise memory for a smaller undercount"),
                    Map.entry("no_memory", "give the process memory, or group less"),
                    Map.entry("forgotten", "raise memory, or shorten frames"),
                    Map.entry("beyond_64_bits", "SUM(1e0 * x)"),
                    Map.entry("late", "raise --lateness"),
                    Map.entry("future", "check the clock of the capture"),
                    Map.entry("ring_full", "more --pipelines, or fewer queries"),
                    Map.entry("dropped_at_capture", "a larger capture buffer (tcpdump -B)"),
                    Map.entry("dropped_by_kernel", "a larger ring of the source, or more queues"),
                    Map.entry("nic_missed", "more queues, each with a core"),
                    Map.entry("no_mbuf", "raise mbufs, or add queues"),
                    Map.entry("nic_errors", "check the cable, and the other port"),
                    Map.entry("no_catalog", "see that Kafka answers (weir doctor)"),
                    Map.entry("sequence_gap", "raise the buffer of the receiver"),
                    Map.entry("killed", "find out why the process was killed"),
                    Map.entry("cut", "find out why the process was killed"),
                    Map.entry("outbox_full", "see that Kafka answers; raise --outbox-size"),
                    Map.entry("disk_full", "make room on the disk"),
                    Map.entry("disk_read_only", "mount the disk for writing"),
                    Map.entry("disk_failed", "take another disk"),
                    Map.entry("disk_slow", "take a faster disk, or raise --outbox-size"),
                    Map.entry("row_too_large", "select fewer or shorter columns"),
                    Map.entry("refused_by_kafka", "raise the topic's max.message.bytes"),
                    Map.entry("not_told", "see that Kafka answers"),
                    Map.entry("missing", "see that the worker reaches Kafka"),
                    Map.entry("unread", "run the same release everywhere"),
                    Map.entry("unknown_query", "nothing, after a DROP"),
                    Map.entry("malformed", "find out who else writes to the topic"),
                    Map.entry("replaced", "nothing, after a replacement"),
                    Map.entry("unreachable", "see that the sink answers"),
                    Map.entry("unwritable", "let the worker write to the sink"),
                    Map.entry("queue_full", "take a faster sink"),
                    Map.entry("refused", "see what the sink says"));

    private Remedies() {}

    /** Returns the remedy; for a fault of Weir, or of the data, where the reasons are explained. */
    public static String of(String reason) {
        return BY_REASON.getOrDefault(reason, "docs/operations/runbook.md");
    }
}
