package io.weir.cluster.merge;

import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeJournal;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.MergeStage;
import io.weir.operators.error.WeirException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A {@link MergeJournal} in a state store of Kafka Streams. Its content is committed with the
 * records that came of it. The stream's thread.
 *
 * <pre>
 *   s worker                        how far a worker has come
 *   a activation                    an activation, or what is final of one that has ended
 *   w activation end number         a message of a window that waits, in order of arrival
 *   g activation end number         what a tick adds to its totals, or all of them
 *   p                               the time that has passed
 *   t query                         a condition; or what is kept by others
 * </pre>
 */
final class StoreJournal implements MergeJournal {
    static final byte SOURCE = 's';
    static final byte ACTIVATION = 'a';
    static final byte WAITING = 'w';
    static final byte PASSED = 'p';
    static final byte TOTALS = 'g';

    /** The kind of conditions. The tester of a condition stores it. */
    static final byte WAKER = 't';

    private final KeyValueStore<Bytes, byte[]> store;
    private final ReaderStore readers;
    private long next;

    StoreJournal(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
        readers = new ReaderStore(store);
    }

    private static Bytes key(byte kind, byte[] name, long... numbers) {
        ByteBuffer key =
                ByteBuffer.allocate(1 + Integer.BYTES + name.length + numbers.length * Long.BYTES);
        key.put(kind).putInt(name.length).put(name);
        for (long number : numbers) {
            // Stores order bytes as unsigned.
            key.putLong(number ^ Long.MIN_VALUE);
        }
        return Bytes.wrap(key.array());
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] name(ActivationId id) {
        return MergeMessageCodec.key(id).toByteArray();
    }

    @Override
    public void source(String worker, SourceMark mark) {
        store.put(key(SOURCE, name(worker)), MarkCodec.bytes(mark));
    }

    @Override
    public void waits(MergeMessage message) {
        ActivationId id;
        long endNs;
        if (message instanceof MergeMessage.Block block) {
            id = block.activation();
            endNs = block.endNs();
        } else if (message instanceof MergeMessage.WindowEnd end) {
            id = end.activation();
            endNs = end.window().endNs();
        } else {
            throw new IllegalArgumentException("no part of a window: " + message);
        }
        store.put(key(WAITING, name(id), endNs, next++), MergeMessageCodec.bytes(message));
    }

    @Override
    public void isFinal(ActivationId id, long endNs) {
        delete(
                key(WAITING, name(id), endNs, Long.MIN_VALUE),
                key(WAITING, name(id), endNs, Long.MAX_VALUE));
    }

    @Override
    public void isFinal(ActivationId id, MergeMessage.WindowEnd end) {
        long endNs = end.window().endNs();
        List<Bytes> gone = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found =
                store.range(
                        key(WAITING, name(id), endNs, Long.MIN_VALUE),
                        key(WAITING, name(id), endNs, Long.MAX_VALUE))) {
            found.forEachRemaining(
                    entry -> {
                        if (isUpTo(entry.value, end)) {
                            gone.add(entry.key);
                        }
                    });
        }
        gone.forEach(store::delete);
    }

    private static boolean isUpTo(byte[] message, MergeMessage.WindowEnd end) {
        try {
            MergeMessage kept = MergeMessageCodec.message(message);
            return kept.source().equals(end.source()) && kept.sequence() <= end.sequence();
        } catch (WeirException unreadable) {
            return false; // another release's
        }
    }

    private void delete(Bytes from, Bytes to) {
        List<Bytes> gone = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = store.range(from, to)) {
            found.forEachRemaining(entry -> gone.add(entry.key));
        }
        gone.forEach(store::delete);
    }

    private void deleteAll(byte kind, ActivationId id) {
        delete(
                key(kind, name(id), Long.MIN_VALUE, Long.MIN_VALUE),
                key(kind, name(id), Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Override
    public void total(ActivationId id, long endNs, byte[] block) {
        byte[] bytes = MarkCodec.bytes(new MarkCodec.KeptTotal(id, endNs, block));
        store.put(key(TOTALS, name(id), endNs, next++), bytes);
    }

    @Override
    public void totalsGone(ActivationId id) {
        deleteAll(TOTALS, id);
    }

    @Override
    public void activation(ActivationId id, ActivationMark mark) {
        store.put(key(ACTIVATION, name(id)), MarkCodec.bytes(id, mark));
    }

    @Override
    public void ended(ActivationId id, EndedMark mark) {
        forgotten(id);
        store.put(key(ACTIVATION, name(id)), MarkCodec.bytes(id, mark));
    }

    @Override
    public void forgotten(ActivationId id) {
        store.delete(key(ACTIVATION, name(id)));
        deleteAll(TOTALS, id);
        deleteAll(WAITING, id);
    }

    @Override
    public void read(ReaderId reader, ReadRows rows) {
        readers.read(reader, rows);
    }

    @Override
    public void notNeeded(ReaderId reader, long number) {
        readers.notNeeded(reader, number);
    }

    @Override
    public void reader(ReaderId reader, ReaderMark mark) {
        readers.reader(reader, mark);
    }

    @Override
    public void readerGone(ReaderId reader) {
        readers.gone(reader);
    }

    @Override
    public void passed(long watermarkNs) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(watermarkNs).array();
        store.put(key(PASSED, new byte[0]), bytes);
    }

    /**
     * Restores a stage, whose queries are there, from this journal, as far as it can be read.
     *
     * @param gone whether a query's version is gone and will not come again
     */
    void restore(MergeStage stage, BiPredicate<String, Long> gone) {
        StoreReader reader = new StoreReader(stage, gone);
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> reader.read(entry.key.get(), entry.value));
        }
        reader.end();
        next = reader.next();
        reader.forgotten().forEach(this::forgotten);
        readers.restore(stage, id -> gone.test(id.query(), id.version()));
    }
}
