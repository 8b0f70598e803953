package io.weir.cluster.merge;

import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeMessage;
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
 * The messages of queries that the catalogue does not have here yet, and later messages of their
 * sources, in order per source. Other sources go on. The messages are in the task's store, so the
 * next owner of the task has them too. A message waits 10 s at most, and the bytes are bounded.
 * Beyond that the query counts as unknown. The stream's thread.
 */
final class HeldMessages {
    static final byte HELD = 'h';
    private static final long LONGEST_MS = 10_000;
    private static final long MOST_BYTES = 64L << 20;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<String, Deque<Held>> sources = new LinkedHashMap<>();
    private long next;
    private long bytes;

    private record Held(long number, MergeMessage message, int bytes, long sinceMs) {}

    HeldMessages(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Returns the activation whose query must be known; null if the message has none. */
    static ActivationId activation(MergeMessage message) {
        if (message instanceof MergeMessage.Block block) {
            return block.activation();
        }
        return message instanceof MergeMessage.WindowEnd end ? end.activation() : null;
    }

    /** Takes over the messages in the store. It leaves out those that it cannot read. */
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
            put(new Held(number, MergeMessageCodec.message(value), value.length, nowMs));
        } catch (WeirException unreadable) {
            return; // another release's: its source reports a gap
        }
    }

    private static Bytes key(long number) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES).put(HELD).putLong(number).array());
    }

    /** Returns whether a message of this source waits. Its next messages must then wait too. */
    boolean holds(String worker) {
        return sources.containsKey(worker);
    }

    boolean isEmpty() {
        return sources.isEmpty();
    }

    /** Lets the message wait from now on. */
    void hold(MergeMessage message, byte[] value, long nowMs) {
        store.put(key(next), value);
        put(new Held(next++, message, value.length, nowMs));
    }

    private void put(Held held) {
        bytes += held.bytes();
        sources.computeIfAbsent(held.message().source().worker(), w -> new ArrayDeque<>())
                .addLast(held);
    }

    /**
     * Passes on the messages that need not wait any more, in order per source.
     *
     * @param waits whether a message's query may still come
     */
    void release(Predicate<MergeMessage> waits, long nowMs, Consumer<MergeMessage> to) {
        Iterator<Deque<Held>> all = sources.values().iterator();
        while (all.hasNext()) {
            Deque<Held> held = all.next();
            while (!held.isEmpty() && !waits(held.peekFirst(), waits, nowMs)) {
                Held one = held.removeFirst();
                bytes -= one.bytes();
                store.delete(key(one.number()));
                to.accept(one.message());
            }
            if (held.isEmpty()) {
                all.remove();
            }
        }
    }

    private boolean waits(Held held, Predicate<MergeMessage> waits, long nowMs) {
        boolean due = nowMs - held.sinceMs() >= LONGEST_MS || bytes > MOST_BYTES;
        return !due && waits.test(held.message());
    }

    /** Returns the names of the queries that are waited for. */
    Set<String> queries() {
        Set<String> queries = new TreeSet<>();
        for (Deque<Held> held : sources.values()) {
            ActivationId id = activation(held.peekFirst().message());
            if (id != null) {
                queries.add(id.query());
            }
        }
        return queries;
    }
}
