package io.weir.cluster.merge;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.protocol.MergeJournal.ReadRows;
import io.weir.cluster.protocol.MergeJournal.ReaderId;
import io.weir.cluster.protocol.MergeJournal.ReaderMark;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.UnreadableRecord;
import io.weir.cluster.wire.StoredReader;
import io.weir.cluster.wire.StoredReading;
import io.weir.cluster.wire.StoredRows;
import io.weir.operators.result.ReadMark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The rows that queries over rows have read and not yet reported, in the second step's state store.
 * A record that a later release has kept in another form is left there and counts as absent. The
 * stream's thread.
 *
 * <pre>
 *   t SOH query NUL version         how far it has come
 *   t SOH query NUL version number  rows that it has read
 * </pre>
 */
final class ReaderStore {
    private static final int FORMAT = 1;

    /**
     * The key begins like a condition's, as in {@link KeptVersions}, because older releases do not
     * know other kinds.
     */
    private static final byte[] READERS = {StoreJournal.WAKER, 1};

    private final KeyValueStore<Bytes, byte[]> store;

    ReaderStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    private static Bytes key(ReaderId id, long... number) {
        byte[] name = id.query().getBytes(StandardCharsets.UTF_8);
        ByteBuffer key =
                ByteBuffer.allocate(
                        READERS.length + name.length + 1 + (1 + number.length) * Long.BYTES);
        key.put(READERS).put(name).put((byte) 0).putLong(id.version());
        for (long one : number) {
            key.putLong(one);
        }
        return Bytes.wrap(key.array());
    }

    void read(ReaderId id, ReadRows rows) {
        StoredRows stored =
                StoredRows.newBuilder()
                        .setFormat(FORMAT)
                        .setQuery(id.query())
                        .setVersion(id.version())
                        .setNumber(rows.number())
                        .setAdvancedNs(rows.advancedNs())
                        .setNeededUntilNs(rows.neededUntilNs())
                        .setRows(ByteString.copyFrom(rows.block()))
                        .setInput(rows.input())
                        .build();
        store.put(key(id, rows.number()), stored.toByteArray());
    }

    void notNeeded(ReaderId id, long number) {
        store.delete(key(id, number));
    }

    void reader(ReaderId id, ReaderMark mark) {
        StoredReader.Builder stored =
                StoredReader.newBuilder()
                        .setFormat(FORMAT)
                        .setQuery(id.query())
                        .setVersion(id.version())
                        .setPassedNs(mark.passedNs())
                        .setLacksUntilNs(mark.lacksUntilNs())
                        .setEnded(mark.ended());
        mark.activations().forEach(activation -> stored.addActivation(stored(activation)));
        store.put(key(id), stored.build().toByteArray());
    }

    private static StoredReading stored(ReadMark mark) {
        return StoredReading.newBuilder()
                .setFromNs(mark.fromNs())
                .setUntilNs(mark.untilNs())
                .setActiveFromNs(mark.activeFromNs())
                .setCompleteness(mark.completeness())
                .setUntold(mark.untold())
                .setRowsSkipped(mark.rowsSkipped())
                .setRowsPassed(mark.rowsPassed())
                .setAdvancedNs(mark.advancedNs())
                .build();
    }

    void gone(ReaderId id) {
        List<Bytes> gone = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = store.range(key(id), key(id, -1))) {
            found.forEachRemaining(entry -> gone.add(entry.key));
        }
        gone.forEach(store::delete);
    }

    /**
     * Gives a stage the records of this store.
     *
     * @param isGone whether a version is gone and will not come again: it is deleted
     */
    void restore(MergeStage stage, Predicate<ReaderId> isGone) {
        List<ReaderId> gone = new ArrayList<>();
        Bytes end = Bytes.wrap(new byte[] {READERS[0], (byte) (READERS[1] + 1)});
        try (KeyValueIterator<Bytes, byte[]> found = store.range(Bytes.wrap(READERS), end)) {
            while (found.hasNext()) {
                KeyValue<Bytes, byte[]> entry = found.next();
                ReaderId id = read(stage, entry.key.get(), entry.value);
                if (id != null && isGone.test(id)) {
                    gone.add(id);
                }
            }
        }
        gone.forEach(this::gone);
    }

    /**
     * Returns null for a record that is not of this format, or that cannot be read. The latter is
     * counted.
     */
    private static ReaderId read(MergeStage stage, byte[] key, byte[] value) {
        try {
            ReaderId id = restore(stage, key, value);
            stage.counts().kept().addAndGet(id == null ? 0 : 1);
            return id;
        } catch (InvalidProtocolBufferException | RuntimeException unreadable) {
            stage.restoring().restore(what(key));
            return null;
        }
    }

    /** A reader without its mark begins again, and reports it. */
    private static UnreadableRecord what(byte[] key) {
        int end = nameEnd(key);
        if (key.length != end + 1 + 2 * Long.BYTES) {
            return new UnreadableRecord.Other("how far a query over rows had come");
        }
        int from = READERS.length;
        String query = new String(key, from, end - from, StandardCharsets.UTF_8);
        return new UnreadableRecord.Rows(
                new ReaderId(query, ByteBuffer.wrap(key).getLong(end + 1)));
    }

    /** Returns null for a record that is not of this format. */
    private static ReaderId restore(MergeStage stage, byte[] key, byte[] value)
            throws InvalidProtocolBufferException {
        boolean isMark = key.length == nameEnd(key) + 1 + Long.BYTES;
        if (isMark) {
            StoredReader stored = StoredReader.parseFrom(value);
            ReaderId id = new ReaderId(stored.getQuery(), stored.getVersion());
            return stored.getFormat() == FORMAT ? restore(stage, id, stored) : null;
        }
        StoredRows stored = StoredRows.parseFrom(value);
        ReaderId id = new ReaderId(stored.getQuery(), stored.getVersion());
        return stored.getFormat() == FORMAT ? restore(stage, id, stored) : null;
    }

    private static int nameEnd(byte[] key) {
        int end = READERS.length;
        while (end < key.length && key[end] != 0) {
            end++;
        }
        return end;
    }

    private static ReaderId restore(MergeStage stage, ReaderId id, StoredReader stored) {
        List<ReadMark> marks = new ArrayList<>();
        stored.getActivationList().forEach(reading -> marks.add(mark(reading)));
        long lacksUntilNs = stored.getLacksUntilNs();
        stage.restoring()
                .restore(
                        id,
                        new ReaderMark(
                                stored.getPassedNs(), lacksUntilNs, stored.getEnded(), marks));
        return id;
    }

    private static ReaderId restore(MergeStage stage, ReaderId id, StoredRows stored) {
        byte[] block = stored.getRows().toByteArray();
        stage.restoring()
                .restore(
                        id,
                        new ReadRows(
                                stored.getNumber(),
                                stored.getAdvancedNs(),
                                stored.getNeededUntilNs(),
                                block,
                                stored.getInput()));
        return id;
    }

    private static ReadMark mark(StoredReading stored) {
        return new ReadMark(
                stored.getFromNs(),
                stored.getUntilNs(),
                stored.getActiveFromNs(),
                stored.getCompleteness(),
                stored.getUntold(),
                stored.getRowsSkipped(),
                stored.getRowsPassed(),
                stored.getAdvancedNs());
    }
}
