package io.weir.cluster.kafka.heartbeat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.Wakes;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Clock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reports every half second that a worker lives, and its state. The states and counts of its
 * queries are included when a state has changed, every ten seconds, and at the end. A server
 * reports its presence, so that the silence of workers is not taken for Kafka's, and its merge's
 * counts. An unsent heartbeat is dropped, because the next has more. A thread of its own.
 */
public final class Heartbeats implements AutoCloseable {
    static final int FORMAT = 1;
    static final long EVERY_MS = 500;

    /** The format of servers. Readers that look for workers skip it. */
    static final int SERVER_FORMAT = 2;

    /** The time after which a new reader knows all states. */
    static final long STATES_EVERY_MS = 10_000;

    /**
     * The interval for queries that were woken. People wait for them, and there may be a thousand.
     */
    private static final long WAKES_EVERY_MS = 2_000;

    private static final int MAX_BLOCK_MS = 1_000;

    /** The longest wait of the last heartbeat for a Kafka that does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final Supplier<Heartbeat.Builder> beats;
    private final String worker;
    private final int format;
    private final Map<String, Object> config;
    private final Clock clock;
    private final Thread thread;

    /** Null while no address of Kafka is known. Only the thread uses it. */
    private KafkaProducer<byte[], byte[]> producer;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final States states = new States();
    private final CountDownLatch taken = new CountDownLatch(1);
    private volatile long takenNs;
    private volatile Heartbeat.End end = Heartbeat.End.FAILED;

    /**
     * @param beats makes the next heartbeat
     */
    public Heartbeats(KafkaSettings settings, String worker, Supplier<Heartbeat.Builder> beats) {
        this(settings, worker, FORMAT, beats);
    }

    /**
     * Makes the heartbeats of a server, whatever its name. Readers that wait for workers ignore it.
     */
    public static Heartbeats ofServer(
            KafkaSettings settings, String server, Supplier<Heartbeat.Builder> beats) {
        return new Heartbeats(settings, server, SERVER_FORMAT, beats);
    }

    private Heartbeats(
            KafkaSettings settings, String worker, int format, Supplier<Heartbeat.Builder> beats) {
        this.format = format;
        this.beats = beats;
        this.worker = worker;
        this.clock = settings.clock();
        this.takenNs = clock.nanos();
        this.config = settings.client("weir-heartbeats-" + worker);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.ACKS_CONFIG, "1");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2 * MAX_BLOCK_MS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * MAX_BLOCK_MS);
        this.thread = new Thread(this::run, "weir-heartbeats-" + worker);
        thread.setDaemon(true);
    }

    public Heartbeats start() {
        thread.start();
        return this;
    }

    private void run() {
        byte[] key = worker.getBytes(StandardCharsets.UTF_8);
        try {
            do {
                tell(key, Heartbeat.End.GOES_ON);
            } while (!closed.await(EVERY_MS, TimeUnit.MILLISECONDS));
            states.due(); // otherwise nobody would know the counts since then
            tell(key, end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (producer != null) {
                producer.close(Duration.ofMillis(MAX_BLOCK_MS));
            }
        }
    }

    private void tell(byte[] key, Heartbeat.End how) {
        Heartbeat beat =
                states.thin(beats.get(), clock.nanos())
                        .setFormat(format)
                        .setWorker(worker)
                        .setEnd(how)
                        .setSentMs(clock.millis())
                        .build();
        send(new ProducerRecord<>(Topics.HEARTBEATS, 0, key, beat.toByteArray()));
    }

    private void send(ProducerRecord<byte[], byte[]> beat) {
        try {
            if (producer == null) {
                producer =
                        new KafkaProducer<>(
                                config, new ByteArraySerializer(), new ByteArraySerializer());
            }
            var unused =
                    producer.send(
                            beat,
                            (metadata, failure) -> {
                                if (failure == null) {
                                    takenNs = clock.nanos();
                                    taken.countDown();
                                } else {
                                    states.due();
                                }
                            });
        } catch (KafkaException e) {
            states.due(); // Kafka is away; the next heartbeat has more
        }
    }

    /** The states of queries that were reported. Only the thread uses it, except {@link #due}. */
    static final class States {
        private List<QueryState> told = List.of();
        private List<Wakes> toldWakes = List.of();
        private long number;
        private long toldNs;
        private volatile boolean due;

        /** Removes the states of queries that readers already have. */
        Heartbeat.Builder thin(Heartbeat.Builder beat, long nowNs) {
            List<QueryState> now = beat.getQueryList().stream().map(States::bare).toList();
            boolean first = number == 0;
            List<Wakes> wakes = beat.getQueryList().stream().map(QueryState::getWakes).toList();
            long everyMs = wakes.equals(toldWakes) ? STATES_EVERY_MS : WAKES_EVERY_MS;
            boolean old = nowNs - toldNs >= TimeUnit.MILLISECONDS.toNanos(everyMs);
            if (first || !now.equals(told)) {
                number++;
                told = now;
            } else if (!old && !due) {
                return beat.clearQuery().setStatesNumber(number).setStatesOmitted(true);
            }
            due = false;
            toldNs = nowNs;
            toldWakes = wakes;
            return beat.setStatesNumber(number);
        }

        /** The counts change with every packet. */
        private static QueryState bare(QueryState state) {
            return state.toBuilder().clearCounts().clearWakes().build();
        }

        /**
         * Requests that states are reported again, because the last report may not have arrived.
         * Any thread.
         */
        void due() {
            due = true;
        }
    }

    /**
     * Waits until others can know of this worker. Returns whether they can, in time. If windows of
     * earlier packets are sent, others' may already be final without them.
     */
    public boolean awaitTaken(long timeoutMs) throws InterruptedException {
        return taken.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Returns whether Kafka has taken a heartbeat within this time. Any thread. */
    public boolean isTakenWithin(long ms) {
        return taken.getCount() == 0 && ageMs() < ms;
    }

    /** Returns the time since Kafka took the last heartbeat, or since the start. Any thread. */
    public long ageMs() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - takenNs);
    }

    /**
     * Sets that the last heartbeat reports an orderly end. Without it, the last one reports a
     * failure.
     */
    public void endsInOrder() {
        end = Heartbeat.End.IN_ORDER;
    }

    static boolean isOfWorker(Heartbeat beat) {
        return beat.getFormat() == FORMAT;
    }

    static boolean isOfServer(Heartbeat beat) {
        return beat.getFormat() == SERVER_FORMAT;
    }

    /** Skips an unreadable heartbeat, because the next replaces it. */
    static Optional<Heartbeat> parse(byte[] value) {
        try {
            return Optional.ofNullable(value == null ? null : Heartbeat.parseFrom(value))
                    .filter(beat -> !beat.getWorker().isEmpty());
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** Sends the last heartbeat. Idempotent. */
    @Override
    public void close() {
        closed.countDown();
        ThreadEnd.await(thread, PATIENCE);
    }
}
