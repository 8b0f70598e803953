package io.weir.cluster.kafka.heartbeat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Who has told that it lives, and when: by the clock of whoever listens, so that clocks need not
 * agree. Thread-safe.
 */
public final class WorkerTable implements TopicTail.Reader, AwaitedWorkers, AutoCloseable {
    /** Silence after which a worker is missing. */
    public static final long MISSING_AFTER_MS = 3_000;

    /**
     * When nobody was heard for so long it was Kafka that was silent, or the listener. Who lived
     * before is given the grace to come back.
     */
    private static final long OUTAGE_MS = 2_000;

    private static final long GRACE_MS = 20_000;

    /** Whose rows' time stands for so long is not waited for by who asks for whole windows. */
    private static final long STANDS_MS = 10_000;

    private static final long FORGOTTEN_AFTER_MS = Duration.ofHours(1).toMillis();
    private static final long NEVER = Long.MIN_VALUE;
    private static final Duration LOOK_BACK = Duration.ofSeconds(5);

    /** In so long a worker has told its queries' states at least once. */
    private static final Duration STATES =
            Duration.ofMillis(Heartbeats.STATES_EVERY_MS + 4 * Heartbeats.EVERY_MS);

    private final TopicTail tail;
    private final LongSupplier nanoTime;
    private final Map<String, Seen> workers = new TreeMap<>();

    /** Those who lived when all fell silent, and have not been heard since. */
    private final Map<String, Long> graceUntilNs = new TreeMap<>();

    private long heardNs = NEVER;
    private long heardForNs;

    /** Servers with a merge, whose silence means nothing here. */
    private final Map<String, Seen> servers = new TreeMap<>();

    /** The last record of each with its queries' states. */
    private final Map<String, Heartbeat> told = new TreeMap<>();

    /** Records before this one are read for the states that they tell, and for nothing else. */
    private volatile long heardFrom;

    /**
     * A worker's last heartbeat, with its queries' states if they are known.
     *
     * @param silentMs since it was heard
     */
    public record Worker(Heartbeat beat, long silentMs) {
        /** Whether it is known what became of its queries. */
        public boolean hasStates() {
            return !beat.getStatesOmitted();
        }

        public boolean isMissing() {
            return silentMs > MISSING_AFTER_MS;
        }
    }

    /**
     * @param passedAtNs when its rows' time last went on
     */
    private record Seen(Heartbeat beat, long atNs, long passedAtNs) {}

    public WorkerTable(KafkaSettings settings) {
        this(settings, LOOK_BACK);
    }

    /**
     * @param lookBack how far: who is silent since then is not known. What is read of the past
     *     counts as heard when it is read
     */
    public WorkerTable(KafkaSettings settings, Duration lookBack) {
        this(settings, lookBack, System::nanoTime);
    }

    WorkerTable(KafkaSettings settings, Duration lookBack, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.tail =
                new TopicTail(
                        settings,
                        "weir-workers",
                        Topics.HEARTBEATS,
                        (consumer, partition) -> seek(consumer, partition, lookBack),
                        this);
    }

    /** Those that are alive have written within the last seconds, and all states a while before. */
    private void seek(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Duration lookBack) {
        OptionalLong since = offset(consumer, partition, lookBack);
        heardFrom = since.orElse(Long.MAX_VALUE);
        OptionalLong states = offset(consumer, partition, lookBack.plus(STATES));
        if (states.isEmpty()) {
            consumer.seekToEnd(List.of(partition));
            heardFrom = consumer.position(partition);
        } else {
            consumer.seek(partition, states.getAsLong());
            if (since.isEmpty()) {
                heardFrom = consumer.endOffsets(List.of(partition)).get(partition);
            }
        }
    }

    private static OptionalLong offset(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Duration back) {
        long since = System.currentTimeMillis() - back.toMillis();
        var found = consumer.offsetsForTimes(Map.of(partition, since)).get(partition);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found.offset());
    }

    public WorkerTable start() {
        tail.start();
        return this;
    }

    @Override
    public synchronized void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        long now = nanoTime.getAsLong();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Optional<Heartbeat> beat = parse(record.value());
            Optional<Heartbeat> worker = beat.filter(WorkerTable::isWorker).map(this::whole);
            if (record.offset() >= heardFrom) {
                heard(now);
                worker.ifPresent(of -> heard(of, now));
                beat.filter(of -> of.getFormat() == Heartbeats.SERVER_FORMAT)
                        .ifPresent(of -> server(of, now));
            }
        }
    }

    private void server(Heartbeat beat, long now) {
        if (servers.put(beat.getWorker(), new Seen(beat, now, now)) == null) {
            forgetServers(now);
        }
    }

    private void forgetServers(long now) {
        servers.values().removeIf(server -> silentMs(server, now) > FORGOTTEN_AFTER_MS);
    }

    private void heard(Heartbeat beat, long now) {
        Seen before = workers.get(beat.getWorker());
        boolean stands =
                before != null
                        && before.beat().getLife().equals(beat.getLife())
                        && before.beat().getRowsPassedNs() == beat.getRowsPassedNs();
        workers.put(beat.getWorker(), new Seen(beat, now, stands ? before.passedAtNs() : now));
        graceUntilNs.remove(beat.getWorker());
    }

    /** With the states of its queries, if it has told them. */
    private Heartbeat whole(Heartbeat beat) {
        if (!beat.getStatesOmitted()) {
            told.put(beat.getWorker(), beat);
            return beat;
        }
        Heartbeat known = told.get(beat.getWorker());
        if (known == null
                || !known.getLife().equals(beat.getLife())
                || known.getStatesNumber() != beat.getStatesNumber()) {
            return beat;
        }
        return beat.toBuilder().addAllQuery(known.getQueryList()).setStatesOmitted(false).build();
    }

    @Override
    public synchronized long heardForNs() {
        return heardForNs + sinceHeardNs(nanoTime.getAsLong());
    }

    private long sinceHeardNs(long now) {
        return heardNs == NEVER ? 0 : Math.min(now - heardNs, MILLISECONDS.toNanos(OUTAGE_MS));
    }

    private void heard(long now) {
        heardForNs += sinceHeardNs(now);
        if (heardNs != NEVER && now - heardNs > MILLISECONDS.toNanos(OUTAGE_MS)) {
            long untilNs = now + MILLISECONDS.toNanos(GRACE_MS);
            for (Map.Entry<String, Seen> worker : workers.entrySet()) {
                if (lives(worker.getKey(), worker.getValue(), heardNs)) {
                    graceUntilNs.put(worker.getKey(), untilNs);
                }
            }
        }
        heardNs = now;
    }

    private boolean lives(String worker, Seen seen, long now) {
        Long untilNs = graceUntilNs.get(worker);
        return untilNs != null && now < untilNs || silentMs(seen, now) <= MISSING_AFTER_MS;
    }

    /**
     * Those whose windows the merge waits for: who has been heard of late, as far as anybody was.
     * While all are silent it is those who lived before, for then Kafka is away, or there is
     * nothing to wait for.
     */
    @Override
    public synchronized Map<String, Long> awaited() {
        long now = nanoTime.getAsLong();
        boolean silence = now - heardNs > MILLISECONDS.toNanos(OUTAGE_MS);
        Map<String, Long> awaited = new TreeMap<>();
        for (Map.Entry<String, Seen> worker : workers.entrySet()) {
            Seen seen = worker.getValue();
            if (lives(worker.getKey(), seen, silence ? heardNs : now)) {
                boolean back = graceUntilNs.containsKey(worker.getKey());
                awaited.put(worker.getKey(), back ? Long.MAX_VALUE : onTheWayNs(seen.beat()));
            }
        }
        return awaited;
    }

    /**
     * Up to which event time workers have sent all rows of a query's version: the least of those
     * who run it, live, and have gone on within the last seconds. Those who do not tell are not
     * waited for.
     *
     * @return {@link Long#MAX_VALUE} where nobody is waited for
     */
    public synchronized long rowsPassedNs(String query, long version) {
        long now = nanoTime.getAsLong();
        long least = Long.MAX_VALUE;
        for (Seen seen : workers.values()) {
            Heartbeat beat = seen.beat();
            boolean waits =
                    silentMs(seen, now) <= MISSING_AFTER_MS
                            && beat.getStatesNumber() > 0
                            && now - seen.passedAtNs() <= MILLISECONDS.toNanos(STANDS_MS);
            if (waits && runs(beat, query, version)) {
                long passedNs = beat.hasRowsPassedNs() ? beat.getRowsPassedNs() : Long.MIN_VALUE;
                least = Math.min(least, passedNs);
            }
        }
        return least;
    }

    private static boolean runs(Heartbeat beat, String query, long version) {
        return beat.getQueryList().stream()
                .anyMatch(
                        state ->
                                state.getName().equals(query)
                                        && state.getVersion() == version
                                        && state.getState() == QueryState.State.RUNNING);
    }

    private static long onTheWayNs(Heartbeat beat) {
        if (beat.getPartialsWaiting() > 0) {
            return Long.MAX_VALUE;
        }
        return beat.hasPartialsPassedNs() ? beat.getPartialsPassedNs() : Long.MIN_VALUE;
    }

    private static boolean isWorker(Heartbeat beat) {
        return beat.getFormat() == Heartbeats.FORMAT;
    }

    /** Of one that cannot be read, the next says it better. */
    private static Optional<Heartbeat> parse(byte[] value) {
        try {
            return Optional.ofNullable(value == null ? null : Heartbeat.parseFrom(value))
                    .filter(beat -> !beat.getWorker().isEmpty());
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** They are then all missing, which is what one can say. */
    @Override
    public void failed(WeirException failure) {}

    /** By name. */
    public synchronized List<Worker> workers() {
        long now = nanoTime.getAsLong();
        workers.entrySet()
                .removeIf(
                        worker -> {
                            boolean gone = silentMs(worker.getValue(), now) > FORGOTTEN_AFTER_MS;
                            if (gone) {
                                told.remove(worker.getKey());
                            }
                            return gone;
                        });
        List<Worker> all = new ArrayList<>();
        workers.values().forEach(seen -> all.add(new Worker(seen.beat(), silentMs(seen, now))));
        return all;
    }

    /** What servers with a merge have told last, within an hour; no worker is among them. */
    public synchronized List<Heartbeat> servers() {
        forgetServers(nanoTime.getAsLong());
        return servers.values().stream().map(Seen::beat).toList();
    }

    private static long silentMs(Seen seen, long now) {
        return NANOSECONDS.toMillis(now - seen.atNs());
    }

    @Override
    public void close() {
        tail.close();
    }
}
