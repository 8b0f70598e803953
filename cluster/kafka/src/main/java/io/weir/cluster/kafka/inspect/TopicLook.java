package io.weir.cluster.kafka.inspect;

/**
 * The present state of a topic.
 *
 * @param leaderless partitions without a leader
 * @param behind partitions with fewer copies in step than writes need
 * @param replicas of the partition that has fewest
 * @param retentionMs -1 for ever
 */
public record TopicLook(
        String name,
        int partitions,
        int leaderless,
        int behind,
        int replicas,
        boolean compacted,
        long retentionMs) {}
