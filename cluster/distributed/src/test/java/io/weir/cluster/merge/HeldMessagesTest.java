package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.ActivationId;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.operators.result.Receivers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** Parcels of unknown queries wait, and those behind them: each source's stay in order. */
class HeldMessagesTest {
    private final Random random = new Random(Long.getLong("weir.seed", 19));
    private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("h").get();
    private final Set<String> known = new HashSet<>();
    private final Map<String, List<Long>> taken = new HashMap<>();
    private HeldMessages held;

    private void start() {
        held = new HeldMessages(store);
        held.restore(0);
    }

    private void take(MergeMessage message) {
        taken.computeIfAbsent(message.source().worker(), w -> new ArrayList<>())
                .add(message.sequence());
    }

    private boolean waits(MergeMessage message) {
        ActivationId id = HeldMessages.activation(message);
        return id != null && !known.contains(id.query());
    }

    private void send(String worker, long sequence) {
        WorkerEpoch source = new WorkerEpoch(worker, "1");
        String query = "q" + random.nextInt(4);
        ActivationId id = new ActivationId(query, 1, Long.MIN_VALUE, Receivers.ALL);
        MergeMessage message =
                random.nextBoolean()
                        ? new MergeMessage.Passed(source, sequence, sequence)
                        : new MergeMessage.Block(source, sequence, id, sequence, new byte[] {1});
        if (held.holds(worker) || waits(message)) {
            held.hold(message, MergeMessageCodec.bytes(message), 0);
        } else {
            take(message);
        }
        held.release(this::waits, 0, this::take);
    }

    /** The task is started anew in between; queries become known one by one. */
    @Test
    void eachSourceStaysInOrder() {
        store.init(null, null);
        start();
        for (long sequence = 0; sequence < 200; sequence++) {
            send("a", sequence);
            send("b", sequence);
            if (random.nextInt(20) == 0) {
                start();
            }
            if (sequence % 40 == 39) {
                known.add("q" + sequence / 40);
                held.release(this::waits, 0, this::take);
            }
        }
        assertTrue(held.isEmpty());
        assertFalse(store.all().hasNext());
        List<Long> all = new ArrayList<>();
        for (long sequence = 0; sequence < 200; sequence++) {
            all.add(sequence);
        }
        assertEquals(Map.of("a", all, "b", all), taken);
    }

    /** A query that does not come is unknown after ten seconds: others are not kept longer. */
    @Test
    void nothingWaitsForEver() {
        store.init(null, null);
        start();
        for (long sequence = 0; sequence < 20; sequence++) {
            send("a", sequence);
        }
        assertFalse(held.isEmpty());
        held.release(this::waits, 9_999, this::take);
        assertFalse(held.isEmpty());
        held.release(this::waits, 10_000, this::take);
        assertTrue(held.isEmpty());
        assertEquals(20, taken.get("a").size());
    }
}
