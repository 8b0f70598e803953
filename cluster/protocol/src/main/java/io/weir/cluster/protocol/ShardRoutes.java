package io.weir.cluster.protocol;

/**
 * The ways from one source to each shard of the merge. They number the messages. The results'
 * thread.
 */
final class ShardRoutes {
    /** A message for a shard, with its number. */
    @FunctionalInterface
    interface Made {
        MergeMessage of(int shard, long sequence);
    }

    private final MessageOutput out;
    private final long[] sequences;

    ShardRoutes(int shards, MessageOutput out) {
        this.out = out;
        sequences = new long[shards];
    }

    int shards() {
        return sequences.length;
    }

    /** Returns the shard of a query whose groups are not spread: the same in every process. */
    int home(String query) {
        return Math.floorMod(query.hashCode(), sequences.length);
    }

    void send(int shard, Made message) {
        out.send(shard, message.of(shard, sequences[shard]++));
    }

    void sendAll(Made message) {
        for (int shard = 0; shard < sequences.length; shard++) {
            send(shard, message);
        }
    }
}
