package io.weir.cluster.service;

import io.weir.cluster.kafka.catalog.Definition;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The latest versions of a query, for readers that also take rows of older versions on their way.
 */
final class Versions {
    private static final int MOST = 4;

    private final TreeMap<Long, RowBatches> readers = new TreeMap<>();

    void see(Definition definition) {
        readers.computeIfAbsent(
                definition.version(), version -> new RowBatches(definition.query()));
        while (readers.size() > MOST) {
            readers.pollFirstEntry();
        }
    }

    Optional<RowBatches> reader(long version) {
        return Optional.ofNullable(readers.get(version));
    }
}
