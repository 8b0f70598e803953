package io.weir.cluster.protocol;

/** Takes the messages of one source, in order for each shard. */
@FunctionalInterface
public interface MessageOutput {
    void send(int shard, MergeMessage message);
}
