package io.weir.cluster.kafka.heartbeat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.ReopenedTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Who has told that it lives, and when: by the clock of whoever listens, so that clocks need not
 * agree. Thread-safe.
 */
public final class WorkerTable implements ReopenedTail.Reader, AwaitedWorkers, AutoCloseable {
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

    private final Duration lookBack;
    private final ReopenedTail tail;
    private final LongSupplier nanoTime;

    /** Until it is known, and where nobody asks for it, null. */
    private volatile PastHeartbeats past;

    private final Map<String, Seen> workers = new TreeMap<>();

    /** Those who lived when all fell silent, and have not been heard since. */
    private final Map<String, Long> graceUntilNs = new TreeMap<>();

    private long heardNs = NEVER;
    private long heardForNs;

    /** Servers with a merge, whose silence means nothing here. */
    private final Map<String, Seen> servers = new TreeMap<>();

    private final ToldStates told = new ToldStates();

    /** Records before this one are read for the states that they tell, and for nothing else. */
    private volatile long heardFrom;

    /** Who lives was heard once the records before this one were read. */
    private volatile long caughtUp;

    /**
     * A worker's last heartbeat, with its queries' states if they are known.
     *
     * @param silentMs since it was heard
     * @param outageMs for how long Kafka has answered nothing; 0 while it does
     */
    public record Worker(Heartbeat beat, long silentMs, long outageMs) {
        /** One that is heard of by a Kafka that answers. */
        public Worker(Heartbeat beat, long silentMs) {
            this(beat, silentMs, 0);
        }

        /** Whether it is known what became of its queries. */
        public boolean hasStates() {
            return !beat.getStatesOmitted();
        }

        /** Whether it is silent, and has not said that it ends in order. */
        public boolean isMissing() {
            return silentMs > MISSING_AFTER_MS && !hasEnded();
        }

        /** Whether it is silent since Kafka is, which says nothing of it. */
        public boolean isUnheard() {
            return outageMs > 0 && isMissing() && silentMs <= outageMs + MISSING_AFTER_MS;
        }

        /** Whether it has said that it ends in order. */
        public boolean hasEnded() {
            return beat.getEnd() == Heartbeat.End.IN_ORDER;
        }
    }

    /**
     * @param passedAtNs when its rows' time last went on
     */
    private record Seen(Heartbeat beat, long atNs, long passedAtNs) {}

    /** One that knows who has died within an hour, too. */
    public WorkerTable(KafkaSettings settings) {
        this(settings, note -> {});
    }

    /**
     * @param notes told why no worker is heard, once for each reason, and when they are again
     */
    public WorkerTable(KafkaSettings settings, Consumer<String> notes) {
        this(settings, LOOK_BACK, System::nanoTime, notes);
        this.past = new PastHeartbeats(settings, Duration.ofMillis(FORGOTTEN_AFTER_MS));
    }

    /**
     * @param lookBack how far: who is silent since then is not known. What is read of the past
     *     counts as heard when it is read
     */
    public WorkerTable(KafkaSettings settings, Duration lookBack) {
        this(settings, lookBack, System::nanoTime, note -> {});
    }

    WorkerTable(
            KafkaSettings settings,
            Duration lookBack,
            LongSupplier nanoTime,
            Consumer<String> notes) {
        this.lookBack = lookBack;
        this.nanoTime = nanoTime;
        this.tail =
                new ReopenedTail(
                        settings,
                        "weir-workers",
                        Topics.HEARTBEATS,
                        this::seek,
                        this,
                        trouble -> notes.accept(note(trouble)));
    }

    private static String note(String trouble) {
        return trouble.isEmpty()
                ? "workers are heard again"
                : "workers are not heard, and seem to be missing: " + trouble;
    }

    /** Those that are alive have written within the last seconds, and all states a while before. */
    private void seek(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        heardFrom = offset(consumer, partition, lookBack).orElse(end);
        consumer.seek(partition, offset(consumer, partition, lookBack.plus(STATES)).orElse(end));
        caughtUp = end;
    }

    private static OptionalLong offset(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Duration back) {
        long since = System.currentTimeMillis() - back.toMillis();
        var found = consumer.offsetsForTimes(Map.of(partition, since)).get(partition);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found.offset());
    }

    public WorkerTable start() {
        tail.start();
        if (past != null) {
            past.start();
        }
        return this;
    }

    @Override
    public synchronized void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        long now = nanoTime.getAsLong();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Optional<Heartbeat> beat = parse(record.value());
            Optional<Heartbeat> worker = beat.filter(WorkerTable::isWorker).map(told::whole);
            if (record.offset() >= heardFrom) {
                heard(now);
                worker.ifPresent(of -> heard(of, now));
                beat.filter(WorkerTable::isServer).ifPresent(of -> server(of, now));
            }
        }
        if (past != null && past.isWhole() && position >= caughtUp) {
            past.last().forEach(said -> recall(said, now));
            past = null;
        }
    }

    /** Of who was not heard since this began: it was silent for longer than that, at least. */
    private void recall(PastHeartbeats.Last said, long now) {
        long sinceMs = System.currentTimeMillis() - said.timeMs();
        long atNs = now - MILLISECONDS.toNanos(Math.max(lookBack.toMillis(), sinceMs));
        Seen seen = new Seen(said.beat(), atNs, atNs);
        if (isWorker(said.beat())) {
            workers.putIfAbsent(said.beat().getWorker(), seen);
        } else if (isServer(said.beat())) {
            servers.putIfAbsent(said.beat().getWorker(), seen);
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
        if (isOfOlderLife(beat, before, now)) {
            return;
        }
        boolean stands =
                before != null
                        && before.beat().getLife().equals(beat.getLife())
                        && before.beat().getRowsPassedNs() == beat.getRowsPassedNs();
        workers.put(beat.getWorker(), new Seen(beat, now, stands ? before.passedAtNs() : now));
        graceUntilNs.remove(beat.getWorker());
    }

    /** A process that ends late says so when another has its place already. */
    private static boolean isOfOlderLife(Heartbeat beat, Seen before, long now) {
        return before != null
                && beat.getEnd() != Heartbeat.End.GOES_ON
                && !before.beat().getLife().equals(beat.getLife())
                && before.beat().getEnd() == Heartbeat.End.GOES_ON
                && silentMs(before, now) <= MISSING_AFTER_MS;
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

    @Override
    public synchronized String life(String worker) {
        Seen seen = workers.get(worker);
        return seen == null ? "" : seen.beat().getLife();
    }

    private static long onTheWayNs(Heartbeat beat) {
        if (beat.getPartialsWaiting() > 0) {
            return Long.MAX_VALUE;
        }
        // One that has ended has nothing on its way.
        return beat.hasPartialsPassedNs()
                ? Math.min(beat.getPartialsPassedNs(), ENDED_NS)
                : Long.MIN_VALUE;
    }

    private static boolean isWorker(Heartbeat beat) {
        return beat.getFormat() == Heartbeats.FORMAT;
    }

    private static boolean isServer(Heartbeat beat) {
        return beat.getFormat() == Heartbeats.SERVER_FORMAT;
    }

    /** Of one that cannot be read, the next says it better. */
    static Optional<Heartbeat> parse(byte[] value) {
        try {
            return Optional.ofNullable(value == null ? null : Heartbeat.parseFrom(value))
                    .filter(beat -> !beat.getWorker().isEmpty());
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /**
     * Waits until those are known, too, who have died within an hour.
     *
     * @return false where that is not known in time
     */
    public boolean awaitWhole(long timeoutMs) throws InterruptedException {
        long deadline = System.nanoTime() + MILLISECONDS.toNanos(timeoutMs);
        while (past != null && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        return past == null;
    }

    /** What keeps it from hearing anybody; empty: nothing. */
    public String trouble() {
        long silentMs = tail.silentMs();
        if (!tail.trouble().isEmpty() || silentMs <= OUTAGE_MS) {
            return tail.trouble();
        }
        return "Kafka has not answered for "
                + MILLISECONDS.toSeconds(silentMs)
                + " s; what is told of workers is as of then";
    }

    /** For how long Kafka has answered nothing, where that is longer than it takes; else 0. */
    private long outageMs() {
        long silentMs = tail.silentMs();
        return silentMs <= OUTAGE_MS ? 0 : silentMs;
    }

    /** By name. */
    public synchronized List<Worker> workers() {
        long now = nanoTime.getAsLong();
        workers.entrySet()
                .removeIf(
                        worker -> {
                            boolean gone = silentMs(worker.getValue(), now) > FORGOTTEN_AFTER_MS;
                            if (gone) {
                                told.forget(worker.getKey());
                            }
                            return gone;
                        });
        List<Worker> all = new ArrayList<>();
        long outageMs = outageMs();
        workers.values()
                .forEach(seen -> all.add(new Worker(seen.beat(), silentMs(seen, now), outageMs)));
        return all;
    }

    /** What servers with a merge have told last, within an hour; no worker is among them. */
    public synchronized List<Heartbeat> servers() {
        forgetServers(nanoTime.getAsLong());
        return servers.values().stream().map(Seen::beat).toList();
    }

    /** Those of them that have been heard of late. */
    public synchronized List<Heartbeat> liveServers() {
        long now = nanoTime.getAsLong();
        return servers.values().stream()
                .filter(server -> silentMs(server, now) <= MISSING_AFTER_MS)
                .map(Seen::beat)
                .toList();
    }

    private static long silentMs(Seen seen, long now) {
        return NANOSECONDS.toMillis(now - seen.atNs());
    }

    @Override
    public void close() {
        tail.close();
        PastHeartbeats unread = past;
        if (unread != null) {
            unread.close();
        }
    }
}
