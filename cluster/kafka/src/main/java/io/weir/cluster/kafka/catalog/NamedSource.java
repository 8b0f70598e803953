package io.weir.cluster.kafka.catalog;

import io.weir.cluster.wire.LiveSource;

/**
 * A live source of the cluster's catalogue. The worker of its node opens it.
 *
 * @param uri with its options, and without the node
 * @param node the value of {@code node_id} in its packets
 */
public record NamedSource(String name, String uri, String node) {
    private static final String KEY = "\u0000source ";

    /** Returns the key of its record. No query has such a name. */
    static String key(String name) {
        return KEY + name;
    }

    static NamedSource of(String key, LiveSource record) {
        if (!key.equals(key(record.getName()))) {
            throw new IllegalArgumentException(
                    "the source " + record.getName() + " lies under the name " + key);
        }
        return new NamedSource(record.getName(), record.getUri(), record.getNode());
    }

    LiveSource record() {
        return LiveSource.newBuilder().setName(name).setUri(uri).setNode(node).build();
    }
}
