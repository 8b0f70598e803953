package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.Commit;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.wire.OutboxPosition;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends an outbox of a worker to its topics: each entry once, in order, through all failures of
 * Kafka. Entries and the outbox' position go in one transaction. Entries that belong together
 * ({@link OutboxEntries#isEnd}) go in the same one. An entry that Kafka will never take is left
 * out, and counted. In doubt it begins again from the committed position. The outbox' name is a
 * transactional id: a second process of the name fences the first, which then stops.
 *
 * <p>One thread of its own; {@link #sent} and the counts are for any.
 */
public final class OutboxSender implements AutoCloseable {
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int MAX_BLOCK_MS = 5_000;

    /** The time after which Kafka may abort a process' open transaction. */
    public static final int TRANSACTION_TIMEOUT_MS = 10_000;

    private static final long IDLE_MS = 2;
    private static final long RETRY_MS = 250;

    private final KafkaSettings settings;
    private final String name;
    private final Outbox outbox;
    private final OutboxEntries entries;
    private final OutboxReader reader;
    private final TransactionPortions portions;
    private final OutboxClaim claim;
    private final SentEntries account;
    private final Consumer<WeirException> replaced;
    private final Refusals refusals;
    private final Thread thread;
    private KafkaProducer<byte[], byte[]> producer;
    private final long backlogEnd;

    private volatile OptionalLong passedNs = OptionalLong.empty();
    private SentEntries.Batch inDoubt;
    private volatile long sent = -1;
    private volatile boolean closed;
    private boolean ended;

    /**
     * @param name of the outbox, for good: the worker's for its rows
     * @param life of this process, as its heartbeats report
     * @param replaced is told that another process has the place, or that this one may not write
     *     there: it has ended
     */
    public OutboxSender(
            KafkaSettings settings,
            String name,
            String life,
            Outbox outbox,
            OutboxEntries entries,
            Consumer<WeirException> replaced) {
        this.settings = settings;
        this.name = name;
        this.entries = entries;
        this.outbox = outbox;
        this.reader = outbox.reader();
        this.portions = new TransactionPortions(reader, entries);
        this.backlogEnd = outbox.opened();
        this.account = new SentEntries(outbox);
        this.claim =
                new OutboxClaim(name, life, entries.title(), outbox, new SentPositions(settings));
        this.replaced = replaced;
        this.refusals = new Refusals(entries.title(), settings::withoutSecrets, settings.clock());
        this.thread = new Thread(this::run, "weir-outbox-" + name);
        thread.setDaemon(true);
    }

    public OutboxSender start() {
        thread.start();
        return this;
    }

    /** Returns the number of the next entry to send; -1 before Kafka was reached. */
    public long sent() {
        return sent;
    }

    /**
     * Returns the event time up to which an earlier process had sent all; {@link Long#MIN_VALUE} if
     * there was none. It is known, and final for all earlier processes, once {@link #sent} is not
     * negative.
     */
    public long foundNs() {
        return claim.foundNs();
    }

    /**
     * Returns whether an earlier process used another outbox after this one; known as {@link
     * #foundNs}.
     */
    public boolean comesBack() {
        return claim.comesBack();
    }

    /** Returns how many entries left by an earlier process, and sent by this one, are triggers. */
    public long leftTriggers() {
        return account.leftTriggers();
    }

    /** Returns the event time up to which all was sent by now, as far as it is known. */
    public OptionalLong passedNs() {
        return passedNs;
    }

    /** Returns Kafka's reason why nothing has been sent for a while; empty if something was. */
    public String trouble() {
        return refusals.reason();
    }

    private void run() {
        try {
            while (!closed) {
                tryToSend();
            }
        } catch (SenderReplacedException e) {
            replaced.accept(
                    new WeirException(
                            ErrorCode.INVALID_OPTION,
                            "another worker " + name + " has taken this one's place",
                            "each worker of a cluster needs a --node-id of its own"));
        } finally {
            discard();
        }
    }

    /**
     * Reports the rest, which the next process of this worker sends. No entries are appended any
     * more, even if this process was replaced.
     */
    private void tellRest() {
        long from = sent < 0 ? backlogEnd : sent;
        reader.seek(from);
        account.left(from, reader.next().map(OutboxReader.Entry::number).orElse(outbox.next()));
    }

    private void tryToSend() throws SenderReplacedException {
        try {
            connect();
            while (!closed) {
                if (step() == 0) {
                    pause(IDLE_MS);
                }
            }
        } catch (AuthenticationException | AuthorizationException e) {
            replaced.accept(KafkaCalls.failure(settings, "counted rows cannot be sent", e));
            closed = true;
        } catch (KafkaException e) {
            discard();
            refusals.failed(e);
            portions.narrow(); // it may be too much for Kafka within a transaction's time
            if (String.valueOf(e.getMessage()).contains("not present in metadata")) {
                createTopics();
            }
            pause(RETRY_MS);
        }
    }

    /** Somebody has deleted a topic: it must not keep all other rows back. */
    private void createTopics() {
        try {
            entries.ensureTopics();
        } catch (WeirException e) {
            return; // Kafka is away
        }
    }

    private void connect() throws SenderReplacedException {
        claim.check();
        KafkaProducer<byte[], byte[]> opened = open();
        opened.initTransactions();
        Optional<OutboxPosition> position = claim.latest();
        passedNs = OutboxClaim.passed(position);
        long next;
        if (claim.isMade()) {
            claim.check(position);
            next = claim.next(position);
            doubtOver(next);
        } else {
            OutboxClaim.Begin begin = claim.make(opened, position, passedNs, MAX_BLOCK_MS);
            next = begin.next();
            account.leftBehind(begin.from(), next);
        }
        portions.seek(next);
        sent = next;
    }

    /** A commit whose answer was lost may have succeeded: then its entries were sent. */
    private void doubtOver(long next) {
        if (inDoubt != null && inDoubt.next() == next) {
            account.sent(inDoubt);
        }
        inDoubt = null;
    }

    private KafkaProducer<byte[], byte[]> open() {
        var config = settings.client("weir-worker-" + name);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "weir-worker-" + name);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_BYTES);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 1); // each commit waits so long, too
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        return producer;
    }

    /** Sends one transaction. Returns the number of its entries. */
    private int step() {
        List<OutboxReader.Entry> whole = portions.take();
        if (whole.isEmpty()) {
            return 0;
        }
        try {
            commit(whole, whole.get(whole.size() - 1).number() + 1);
            refusals.sent(sent);
            portions.widen();
        } catch (KafkaException e) {
            if (!refusals.setAside()) {
                throw e;
            }
            producer.abortTransaction();
            inDoubt = null;
            portions.narrow();
            portions.seek(sent);
        }
        return whole.size();
    }

    private void commit(List<OutboxReader.Entry> whole, long next) {
        producer.beginTransaction();
        SentEntries.Batch batch = account.batch(sent, next);
        OptionalLong passed = passedNs;
        for (OutboxReader.Entry entry : whole) {
            offer(entry, batch);
            OptionalLong to = entries.passedNs(entry);
            passed = to.isPresent() ? to : passed;
        }
        var last = send(claim.record(next, passed), failure -> {});
        inDoubt = batch;
        Commit.of(producer, last, MAX_BLOCK_MS);
        account.sent(inDoubt);
        inDoubt = null;
        passedNs = passed;
        sent = next;
        outbox.release(next);
    }

    private void offer(OutboxReader.Entry entry, SentEntries.Batch batch) {
        long number = entry.number();
        if (refusals.isAside(number)) {
            batch.refused();
            return;
        }
        var record = entries.record(entry);
        if (record.isPresent()) {
            String topic = record.get().topic();
            var unused = send(record.get(), failure -> refusals.refused(number, topic, failure));
        }
        batch.add(number, record);
    }

    /**
     * The commit throws the failure of any record. But if one waits in vain, each later one would
     * too.
     */
    private Future<RecordMetadata> send(
            ProducerRecord<byte[], byte[]> record, Consumer<Exception> failed) {
        AtomicReference<Exception> refused = new AtomicReference<>();
        Future<RecordMetadata> sent =
                producer.send(
                        record,
                        (there, failure) -> {
                            refused.set(failure);
                            failed.accept(failure);
                        });
        if (refused.get() instanceof TimeoutException inVain) {
            throw inVain;
        }
        return sent;
    }

    private void discard() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    private void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /**
     * Waits until the whole outbox was sent, as long as some of it is sent within that time.
     * Returns whether it was.
     */
    public boolean awaitSent(long quietMs) throws InterruptedException {
        return awaitSent(quietMs, () -> true);
    }

    /**
     * Does the same with a condition.
     *
     * @param goesOn whether to wait on
     */
    public boolean awaitSent(long quietMs, BooleanSupplier goesOn) throws InterruptedException {
        long last = sent;
        Deadline deadline = Deadline.afterMs(quietMs);
        while (sent < 0 || outbox.waiting(sent) > 0) {
            if (sent != last) {
                last = sent;
                deadline = Deadline.afterMs(quietMs);
            }
            if (deadline.isOver() || !goesOn.getAsBoolean() || !thread.isAlive()) {
                return false;
            }
            Thread.sleep(IDLE_MS);
        }
        return true;
    }

    /**
     * Ends the thread, once nothing more is appended. Unsent entries stay in the outbox, and are
     * reported to the account. Idempotent.
     */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            // Some calls may take a minute while Kafka is away; each of the producer's takes
            // seconds.
            claim.giveUp();
            try {
                thread.join(RETRY_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        tellRest();
        reader.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
