package io.weir.cluster.kafka.inspect;

/**
 * A topic as it is.
 *
 * @param leaderless partitions that nobody leads
 * @param behind partitions with fewer copies in step than writes want
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
