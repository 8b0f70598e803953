package io.weir.cluster.merge;

import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.Parcel;
import io.weir.operators.error.WeirException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The parcels of queries that the catalogue does not have here yet, and later parcels of their
 * sources, in order per source. Other sources go on. The parcels are in the task's store, so the
 * next owner of the task has them too. A parcel waits 10 s at most, and the bytes are bounded.
 * Beyond that the query counts as unknown. The stream's thread.
 */
final class HeldParcels {
    static final byte HELD = 'h';
    private static final long LONGEST_MS = 10_000;
    private static final long MOST_BYTES = 64L << 20;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<String, Deque<Held>> sources = new LinkedHashMap<>();
    private long next;
    private long bytes;

    private record Held(long number, Parcel parcel, int bytes, long sinceMs) {}

    HeldParcels(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Returns the activation whose query must be known; null if the parcel has none. */
    static ActivationId activation(Parcel parcel) {
        if (parcel instanceof Parcel.Block block) {
            return block.activation();
        }
        return parcel instanceof Parcel.WindowEnd end ? end.activation() : null;
    }

    /** Takes over the parcels in the store. It leaves out those that it cannot read. */
    void restore(long nowMs) {
        try (KeyValueIterator<Bytes, byte[]> all = store.range(key(0), key(Long.MAX_VALUE))) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> entry = all.next();
                long number = ByteBuffer.wrap(entry.key.get(), 1, Long.BYTES).getLong();
                next = Math.max(next, number + 1);
                restore(number, entry.value, nowMs);
            }
        }
    }

    private void restore(long number, byte[] value, long nowMs) {
        try {
            put(new Held(number, ParcelCodec.parcel(value), value.length, nowMs));
        } catch (WeirException unreadable) {
            return; // another release's: its source reports a gap
        }
    }

    private static Bytes key(long number) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES).put(HELD).putLong(number).array());
    }

    /** Returns whether a parcel of this source waits. Its next parcels must then wait too. */
    boolean holds(String worker) {
        return sources.containsKey(worker);
    }

    boolean isEmpty() {
        return sources.isEmpty();
    }

    /** Lets the parcel wait from now on. */
    void hold(Parcel parcel, byte[] value, long nowMs) {
        store.put(key(next), value);
        put(new Held(next++, parcel, value.length, nowMs));
    }

    private void put(Held held) {
        bytes += held.bytes();
        sources.computeIfAbsent(held.parcel().source().worker(), w -> new ArrayDeque<>())
                .addLast(held);
    }

    /**
     * Passes on the parcels that need not wait any more, in order per source.
     *
     * @param waits whether a parcel's query may still come
     */
    void release(Predicate<Parcel> waits, long nowMs, Consumer<Parcel> to) {
        Iterator<Deque<Held>> all = sources.values().iterator();
        while (all.hasNext()) {
            Deque<Held> held = all.next();
            while (!held.isEmpty() && !waits(held.peekFirst(), waits, nowMs)) {
                Held one = held.removeFirst();
                bytes -= one.bytes();
                store.delete(key(one.number()));
                to.accept(one.parcel());
            }
            if (held.isEmpty()) {
                all.remove();
            }
        }
    }

    private boolean waits(Held held, Predicate<Parcel> waits, long nowMs) {
        boolean due = nowMs - held.sinceMs() >= LONGEST_MS || bytes > MOST_BYTES;
        return !due && waits.test(held.parcel());
    }

    /** Returns the names of the queries that are waited for. */
    Set<String> queries() {
        Set<String> queries = new TreeSet<>();
        for (Deque<Held> held : sources.values()) {
            ActivationId id = activation(held.peekFirst().parcel());
            if (id != null) {
                queries.add(id.query());
            }
        }
        return queries;
    }
}
