package io.weir.cluster.protocol;

/**
 * The ways from one source to each shard of the merge. They number the parcels. The results'
 * thread.
 */
final class Ways {
    /** A parcel for a shard, with its number. */
    @FunctionalInterface
    interface Made {
        Parcel of(int shard, long sequence);
    }

    private final PartialSender.Out out;
    private final long[] sequences;

    Ways(int shards, PartialSender.Out out) {
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

    void send(int shard, Made parcel) {
        out.send(shard, parcel.of(shard, sequences[shard]++));
    }

    void sendAll(Made parcel) {
        for (int shard = 0; shard < sequences.length; shard++) {
            send(shard, parcel);
        }
    }
}
