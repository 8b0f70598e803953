package io.weir.cluster.kafka.heartbeat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.ReopenedTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that have reported, with the time by the listener's clock, so that clocks need not
 * agree. Thread-safe.
 */
public final class WorkerTable implements ReopenedTail.Reader, AwaitedWorkers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerTable.class);

    /** The silence after which a worker is missing. */
    public static final long MISSING_AFTER_MS = 3_000;

    /** The time in which workers that lived before an outage may come back. */
    private static final long GRACE_MS = 20_000;

    /**
     * If the time of a worker's rows stands still for so long, readers of whole windows do not wait
     * for it.
     */
    private static final long STANDS_MS = 10_000;

    private static final long FORGOTTEN_AFTER_MS = Duration.ofHours(1).toMillis();
    private static final Duration LOOK_BACK = Duration.ofSeconds(5);

    /** The time in which a worker has reported its queries' states at least once. */
    private static final Duration STATES =
            Duration.ofMillis(Heartbeats.STATES_EVERY_MS + 4 * Heartbeats.EVERY_MS);

    private final Duration lookBack;
    private final ReopenedTail tail;
    private final Clock clock;

    /** Null until it is known, and if nobody asks for it. */
    private volatile PastHeartbeats past;

    private final Map<String, Seen> workers = new TreeMap<>();

    /** The workers that lived when all fell silent, and have not been heard since. */
    private final Map<String, Long> graceUntilNs = new TreeMap<>();

    private final HeardTime time = new HeardTime();

    /** Their silence has no meaning here. */
    private final ServerTable servers = new ServerTable(FORGOTTEN_AFTER_MS);

    private final ReportedStates told = new ReportedStates();

    /** Earlier records are read only for the states that they report. */
    private volatile long heardFrom;

    /** Once the records before this one are read, each living worker was heard. */
    private volatile long caughtUp;

    /**
     * A worker's last heartbeat, with its queries' states if they are known.
     *
     * @param silentMs since it was heard
     * @param outageMs how long Kafka has not answered; 0 while it does
     */
    public record Worker(Heartbeat beat, long silentMs, long outageMs) {
        /** Makes the entry of a worker while Kafka answers. */
        public Worker(Heartbeat beat, long silentMs) {
            this(beat, silentMs, 0);
        }

        /** Returns whether the states of its queries are known. */
        public boolean hasStates() {
            return !beat.getStatesOmitted();
        }

        /** Returns whether it is silent without an orderly end. */
        public boolean isMissing() {
            return silentMs > MISSING_AFTER_MS && !hasEnded();
        }

        /** Returns whether it has been silent since Kafka has, which says nothing about it. */
        public boolean isUnheard() {
            return outageMs > 0 && isMissing() && silentMs <= outageMs + MISSING_AFTER_MS;
        }

        /** Returns whether it has reported an orderly end. */
        public boolean hasEnded() {
            return beat.getEnd() == Heartbeat.End.IN_ORDER;
        }
    }

    /**
     * @param passedAtNs when the time of its rows last moved
     */
    private record Seen(Heartbeat beat, long atNs, long passedAtNs) {}

    /** Makes a table that also knows workers that died within an hour. */
    public WorkerTable(KafkaSettings settings) {
        this(settings, LOOK_BACK);
        this.past = new PastHeartbeats(settings, Duration.ofMillis(FORGOTTEN_AFTER_MS));
    }

    /**
     * @param lookBack how far: workers that have been silent since then are not known. A record of
     *     the past counts as heard when it is read
     */
    public WorkerTable(KafkaSettings settings, Duration lookBack) {
        this.lookBack = lookBack;
        this.clock = settings.clock();
        this.tail = new ReopenedTail(settings, "weir-workers", Topics.HEARTBEATS, this::seek, this);
    }

    @Override
    public void troubled(String why) {
        if (why.isEmpty()) {
            LOG.info("workers are heard again");
        } else {
            LOG.warn("workers are not heard, and seem to be missing: {}", why);
        }
    }

    /** Living workers have written within the last seconds, and all states some seconds before. */
    private void seek(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        heardFrom = offset(consumer, partition, lookBack).orElse(end);
        consumer.seek(partition, offset(consumer, partition, lookBack.plus(STATES)).orElse(end));
        caughtUp = end;
    }

    private OptionalLong offset(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Duration back) {
        long since = clock.millis() - back.toMillis();
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
        long now = clock.nanos();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Optional<Heartbeat> beat = Heartbeats.parse(record.value());
            Optional<Heartbeat> worker = beat.filter(Heartbeats::isOfWorker).map(told::whole);
            if (record.offset() >= heardFrom) {
                heard(now);
                worker.ifPresent(of -> heard(of, now));
                beat.filter(Heartbeats::isOfServer).ifPresent(of -> servers.heard(of, now));
            }
        }
        if (past != null && past.isWhole() && position >= caughtUp) {
            past.last().forEach(said -> recall(said, now));
            past = null;
        }
    }

    /**
     * Adds a worker that was not heard since this began. It has been silent at least since then.
     */
    private void recall(PastHeartbeats.Last said, long now) {
        long sinceMs = clock.millis() - said.timeMs();
        long atNs = now - MILLISECONDS.toNanos(Math.max(lookBack.toMillis(), sinceMs));
        if (Heartbeats.isOfWorker(said.beat())) {
            workers.putIfAbsent(said.beat().getWorker(), new Seen(said.beat(), atNs, atNs));
        } else if (Heartbeats.isOfServer(said.beat())) {
            servers.recall(said.beat(), atNs);
        }
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

    /** A process that ends late reports its end when another already has its place. */
    private static boolean isOfOlderLife(Heartbeat beat, Seen before, long now) {
        return before != null
                && beat.getEnd() != Heartbeat.End.GOES_ON
                && !before.beat().getLife().equals(beat.getLife())
                && before.beat().getEnd() == Heartbeat.End.GOES_ON
                && silentMs(before, now) <= MISSING_AFTER_MS;
    }

    @Override
    public synchronized long heardForNs() {
        return time.forNs(clock.nanos());
    }

    private void heard(long now) {
        OptionalLong outage = time.heard(now);
        if (outage.isPresent()) {
            workers.forEach((name, seen) -> grace(name, seen, outage.getAsLong(), now));
        }
    }

    /** Gives a worker that lived when an outage began the time to come back. */
    private void grace(String name, Seen seen, long sinceNs, long now) {
        boolean goesOn = seen.beat().getEnd() != Heartbeat.End.IN_ORDER;
        if (goesOn && lives(name, seen, sinceNs)) {
            graceUntilNs.put(name, now + MILLISECONDS.toNanos(GRACE_MS));
        }
    }

    /** Windows of one that has ended in order are in Kafka: there is time to read them. */
    private boolean lives(String worker, Seen seen, long now) {
        Long untilNs = graceUntilNs.get(worker);
        boolean ended = seen.beat().getEnd() == Heartbeat.End.IN_ORDER;
        long mostMs = ended ? GRACE_MS : MISSING_AFTER_MS;
        return untilNs != null && now < untilNs || silentMs(seen, now) <= mostMs;
    }

    /**
     * Returns the workers that the merge waits for: those that were heard recently. While all are
     * silent, it returns those that lived before. Then Kafka is away, or there is nothing to wait
     * for.
     */
    @Override
    public synchronized Map<String, Long> awaited() {
        long judgedNs = time.judgedNs(clock.nanos());
        Map<String, Long> awaited = new TreeMap<>();
        for (Map.Entry<String, Seen> worker : workers.entrySet()) {
            Seen seen = worker.getValue();
            if (lives(worker.getKey(), seen, judgedNs)) {
                boolean back = graceUntilNs.containsKey(worker.getKey());
                awaited.put(worker.getKey(), back ? Long.MAX_VALUE : onTheWayNs(seen.beat()));
            }
        }
        return awaited;
    }

    /**
     * Returns the event time up to which workers have sent all rows of a query's version. It is the
     * least time of living workers that run the query and have progressed within the last seconds.
     * Workers that do not report are ignored.
     *
     * @return {@link Long#MAX_VALUE} if there is nobody to wait for
     */
    public synchronized long rowsPassedNs(String query, long version) {
        long now = clock.nanos();
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

    /** Returns the greatest event time that a worker has passed; MIN_VALUE if none has told. */
    public synchronized long reachedNs() {
        return workers.values().stream()
                .map(Seen::beat)
                .flatMapToLong(b -> LongStream.of(b.getRowsPassedNs(), b.getPartialsPassedNs()))
                .filter(timeNs -> timeNs != 0 && timeNs < Long.MAX_VALUE)
                .max()
                .orElse(Long.MIN_VALUE);
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
        // A worker that has ended has nothing on its way.
        return beat.hasPartialsPassedNs()
                ? Math.min(beat.getPartialsPassedNs(), ENDED_NS)
                : Long.MIN_VALUE;
    }

    /**
     * Waits until workers that died within an hour are known too.
     *
     * @return false if that is not known in time
     */
    public boolean awaitWhole(long timeoutMs) throws InterruptedException {
        Deadline deadline = Deadline.afterMs(timeoutMs);
        while (past != null && !deadline.isOver()) {
            Thread.sleep(10);
        }
        return past == null;
    }

    /** Returns the reason why no worker is heard; empty without one. */
    public String trouble() {
        long silentMs = tail.silentMs();
        if (!tail.trouble().isEmpty() || silentMs <= HeardTime.OUTAGE_MS) {
            return tail.trouble();
        }
        return "Kafka has not answered for "
                + MILLISECONDS.toSeconds(silentMs)
                + " s; the states of workers are from then";
    }

    /** Returns how long Kafka has not answered, if that is unusually long; otherwise 0. */
    private long outageMs() {
        long silentMs = tail.silentMs();
        return silentMs <= HeardTime.OUTAGE_MS ? 0 : silentMs;
    }

    /** Returns the workers by name. */
    public synchronized List<Worker> workers() {
        long now = clock.nanos();
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

    /**
     * Returns the last heartbeats, within an hour, of servers with a merge. No worker is among
     * them.
     */
    public synchronized List<Heartbeat> servers() {
        return servers.all(clock.nanos());
    }

    /** Returns the servers that were heard recently. */
    public synchronized List<Heartbeat> liveServers() {
        return servers.heardWithin(MISSING_AFTER_MS, clock.nanos());
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
