package io.weir.cluster.merge;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.catalog.Version;
import io.weir.cluster.graph.GraphReader;
import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.graph.GraphWriter;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.Statements;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.cluster.protocol.UnreadableRecord;
import io.weir.cluster.wire.StoredVersion;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The versions of queries whose windows come to a stage, with their statements, in its state store.
 * The catalogue has only the latest version of each. A task that is started again also needs
 * versions whose windows wait, or are on their way. The stream's thread.
 *
 * <pre>
 *   t NUL query NUL version         its statements, and where its rows are made
 * </pre>
 */
final class KeptVersions {
    private static final int FORMAT = 1;

    /**
     * No name of a condition's query begins with it. Releases before commit bd9c6ec take an unknown
     * kind for a waiting window. They ignore conditions that are not theirs.
     */
    private static final byte[] VERSIONS = {StoreJournal.WAKER, 0};

    private final KeyValueStore<Bytes, byte[]> store;

    KeptVersions(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** A version as it was in the stage. */
    record Kept(Definition definition, RowsPlace made, boolean isRead) {}

    private static Bytes key(String query, long version) {
        byte[] name = query.getBytes(StandardCharsets.UTF_8);
        ByteBuffer key = ByteBuffer.allocate(VERSIONS.length + name.length + 1 + Long.BYTES);
        key.put(VERSIONS).put(name).put((byte) 0).putLong(version);
        return Bytes.wrap(key.array());
    }

    /** Stores a version in place of an earlier record of it. */
    void put(Definition definition, RowsPlace made, boolean isRead, CatalogState catalog) {
        byte[] value =
                StoredVersion.newBuilder()
                        .setFormat(FORMAT)
                        .setQuery(definition.name())
                        .setVersion(definition.version())
                        .setAfterShards(made == RowsPlace.AFTER_SHARDS)
                        .setRead(isRead)
                        .addAllSql(Statements.of(definition.query(), catalog))
                        .setGraph(GraphWriter.of(definition.query(), Version.TEXT))
                        .build()
                        .toByteArray();
        Bytes key = key(definition.name(), definition.version());
        if (!Arrays.equals(value, store.get(key))) {
            store.put(key, value);
        }
    }

    /** Removes a version. */
    void forget(String query, long version) {
        store.delete(key(query, version));
    }

    /** Removes all versions of a query. */
    void forget(String query) {
        List<Bytes> gone = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = store.range(key(query, 0), key(query, -1))) {
            found.forEachRemaining(entry -> gone.add(entry.key));
        }
        gone.forEach(store::delete);
    }

    /**
     * Returns the versions, the oldest first. Versions that this release cannot read, or plan, are
     * left in the store.
     *
     * @param unread is told of versions that no release can read
     */
    List<Kept> all(Consumer<UnreadableRecord> unread) {
        List<Kept> all = new ArrayList<>();
        Bytes end = Bytes.wrap(new byte[] {VERSIONS[0], 1});
        try (KeyValueIterator<Bytes, byte[]> found = store.range(Bytes.wrap(VERSIONS), end)) {
            while (found.hasNext()) {
                KeyValue<Bytes, byte[]> entry = found.next();
                try {
                    kept(entry.key, entry.value).ifPresent(all::add);
                } catch (InvalidProtocolBufferException damaged) {
                    unread.accept(new UnreadableRecord.Other("a version of a query"));
                }
            }
        }
        all.sort(Comparator.comparingLong(kept -> kept.definition().version()));
        return all;
    }

    private static Optional<Kept> kept(Bytes key, byte[] value)
            throws InvalidProtocolBufferException {
        StoredVersion stored = StoredVersion.parseFrom(value);
        if (stored.getFormat() != FORMAT) {
            return Optional.empty();
        } else if (!key.equals(key(stored.getQuery(), stored.getVersion()))) {
            throw new InvalidProtocolBufferException("a version that its key does not name");
        }
        try {
            Query query = query(stored);
            RowsPlace made = stored.getAfterShards() ? RowsPlace.AFTER_SHARDS : RowsPlace.IN_SHARDS;
            Definition definition = new Definition(query, stored.getVersion(), 0);
            return Optional.of(new Kept(definition, made, stored.getRead()));
        } catch (WeirException unknown) {
            return Optional.empty();
        }
    }

    private static Query query(StoredVersion stored) {
        int last = stored.getSqlCount() - 1;
        if (!stored.hasGraph() || last < 0) {
            return Statements.plan(stored.getSqlList());
        }
        String sql = stored.getSql(last);
        return GraphReader.query(
                stored.getGraph(), stored.getQuery(), sql, Version.TEXT, GraphTables.empty());
    }
}
