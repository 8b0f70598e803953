package io.weir.cluster.node;

/**
 * The number of threads that share the packets.
 *
 * @param partitions parts of the packets, by hash of the partition key
 * @param pipelines of each partition, by more bits of the same hash; 0: each reader runs its own
 */
public record Shape(int partitions, int pipelines) {
    /** The reader's own thread does all the work. */
    public static final Shape ONE = new Shape(1, 1);

    public static final int MAX_PIPELINES = 64;

    /** Returns the number of all pipelines. */
    public int total() {
        return partitions * Math.max(1, pipelines);
    }
}
