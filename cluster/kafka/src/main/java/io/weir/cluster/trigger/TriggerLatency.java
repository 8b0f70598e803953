package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.FieldAccess;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.Memory;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.when.WhenState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the time from a row on one worker that meets a condition until the woken query has
 * counted a packet on another. Two live engines run with a real Kafka between them. Each worker
 * gets a made-up packet every {@value #PACKET_NS} ns, with the time of the clock. Each {@value
 * #PERIOD_NS} ns a burst makes the first worker's row that meets the condition.
 */
public final class TriggerLatency {
    /** Wakes, waits, sleeps again: FOR and a window must fit into a period. */
    public static final String SQL =
            """
            CREATE QUERY upstream AS SELECT window_end, COUNT(*) AS n FROM packets
              WHERE proto = 17 GROUP BY TUMBLE(ts, INTERVAL '10' MILLISECOND);
            CREATE QUERY woken AS SELECT COUNT(*) AS n, active_from FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '10' MILLISECOND)
              WHEN upstream.n > 0 FOR INTERVAL '400' MILLISECOND;
            """;

    private static final long PERIOD_NS = 500_000_000L;
    private static final long PACKET_NS = 100_000L;
    private static final long PLACE_MS = 60_000;
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(0, 0)
                    .withMemory(256L << 20, 32L << 20)
                    .withBlocks(4096, 1 << 17)
                    .forLive();

    private final KafkaSettings kafka;
    private final Query upstream;
    private final Query woken;
    private final AtomicLong rowNs = new AtomicLong();
    private final AtomicLong emitted = new AtomicLong();
    private final List<WeirException> failures = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    /**
     * @param queries those of {@link #SQL}
     */
    public TriggerLatency(KafkaSettings kafka, List<Query> queries) {
        this.kafka = kafka;
        upstream = queries.get(0);
        woken = queries.get(1);
    }

    /**
     * The measured times in nanoseconds, the least first.
     *
     * @param missed rows after which nothing was counted before the activation's end
     */
    public record Result(List<Long> sortedNs, int missed) {
        /** Returns the time that so many percent did not exceed. */
        public double ms(int percent) {
            int at = (int) Math.ceil(sortedNs.size() * percent / 100.0) - 1;
            return sortedNs.get(Math.max(0, at)) / 1e6;
        }
    }

    /** Measures so many wakes, after a few that do not count. */
    public Result measure(int warmUps, int samples) {
        Topics.ensure(kafka);
        try (LocalEngine first = new LocalEngine(OPTIONS, new Account());
                LocalEngine second = new LocalEngine(OPTIONS, new Account());
                TriggerPublisher publisher = publisher()) {
            checkPlace(publisher);
            first.add(compiled(upstream), batch -> rowNs.set(kafka.clock().nanos()));
            second.addWoken(compiled(woken), batch -> {});
            first.start();
            second.start();
            first.watch(
                    woken.when().orElseThrow(),
                    WhenState.latest(),
                    (change, batch, row) -> tell(publisher, change));
            Triggers triggers = (query, version, change) -> second.report(query, change);
            try (TriggerFollower follower =
                    new TriggerFollower(kafka, "second", triggers, failures::add).start()) {
                Thread sender = new Thread(() -> send(first), "first-worker");
                sender.start();
                try {
                    Result result = count(second, warmUps, samples);
                    checkRead(follower);
                    return result;
                } finally {
                    ended = true;
                    join(sender);
                    first.awaitEnd();
                    second.awaitEnd();
                }
            }
        }
    }

    private TriggerPublisher publisher() {
        SenderPlace place =
                new SenderPlace(
                        kafka, "first triggers", "first triggers", UUID.randomUUID().toString());
        return new TriggerPublisher(kafka, place, "first", new Stage("triggers"), failures::add);
    }

    private static void checkPlace(TriggerPublisher publisher) {
        try {
            if (!publisher.awaitPlace(PLACE_MS)) {
                throw new IllegalStateException("Kafka does not say which process may publish");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void checkRead(TriggerFollower follower) {
        if (follower.unread() > 0) {
            throw new IllegalStateException(follower.unread() + " triggers were not read");
        }
    }

    private static CompiledQuery compiled(Query query) {
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void tell(TriggerPublisher publisher, WhenState.Change change) {
        emitted.addAndGet(change.begins() ? 1 : 0);
        publisher.write(woken.name(), 1, change, () -> {});
    }

    private void send(LocalEngine engine) {
        long burstNs = kafka.clock().nanos() + PERIOD_NS;
        while (!ended) {
            boolean burst = kafka.clock().nanos() >= burstNs;
            burstNs += burst ? PERIOD_NS : 0;
            packet(engine, burst ? 17 : 6);
            LockSupport.parkNanos(PACKET_NS);
        }
    }

    private Result count(LocalEngine engine, int warmUps, int samples) {
        List<Long> times = new ArrayList<>();
        long counted = processed(engine);
        long seen = emitted.get();
        int missed = 0;
        boolean waits = false;
        while (times.size() < warmUps + samples && failures.isEmpty()) {
            packet(engine, 6);
            long now = kafka.clock().nanos();
            if (emitted.get() != seen) {
                missed += waits ? 1 : 0;
                seen = emitted.get();
                waits = true;
            }
            long processed = processed(engine);
            if (waits && processed > counted) {
                times.add(now - rowNs.get());
                waits = false;
            }
            counted = processed;
            LockSupport.parkNanos(PACKET_NS);
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        List<Long> kept = new ArrayList<>(times.subList(warmUps, times.size()));
        Collections.sort(kept);
        return new Result(kept, missed);
    }

    /** Returns the packets that the woken query has counted. */
    private static long processed(LocalEngine engine) {
        long processed = 0;
        for (Stage.Snapshot stage : engine.account().snapshot()) {
            if (stage.stage().equals("query:woken")) {
                processed += stage.processed();
            }
        }
        return processed;
    }

    /** Writes one packet of now, as a block of its own. */
    private void packet(LocalEngine engine, int protocol) {
        BlockWriter writer = engine.writers().get(0);
        Instant clock = kafka.clock().instant();
        long now = clock.getEpochSecond() * 1_000_000_000L + clock.getNano();
        GpvLayout layout = GpvLayout.FULL_V4;
        long address = writer.claim(layout, 1);
        Memory.fill(address, layout.gpvBytes(1), (byte) 0);
        put(layout, address, GpvLayout.COUNT, 1);
        put(layout, address, GpvLayout.START, now);
        put(layout, address, "proto", protocol);
        writer.flush(now);
        engine.poll();
    }

    private static void put(GpvLayout layout, long address, String field, long value) {
        FieldAccess.store(layout.field(field).orElseThrow(), layout.order(), address, value);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
