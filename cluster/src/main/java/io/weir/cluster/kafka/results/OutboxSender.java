package io.weir.cluster.kafka.results;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.wire.OutboxPosition;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a worker's outbox to the topics of results: each entry once, in order, whatever Kafka does
 * in between. Rows and the outbox' position go in one transaction. When anything is in doubt it
 * begins again from the position that is committed. A worker's name is a transactional id: a second
 * process of the name fences the first, which then stops.
 *
 * <p>One thread of its own; {@link #sent} and the counts are for any.
 */
public final class OutboxSender implements AutoCloseable {
    private static final String DROPPED = "outbox_full";
    private static final String LEFT_BEHIND = "left_behind";
    private static final int MOST_ROWS = 1_000;
    private static final int MOST_BYTES = 512 << 10;
    private static final int MAX_BLOCK_MS = 5_000;
    private static final int TRANSACTION_TIMEOUT_MS = 10_000;
    private static final long IDLE_MS = 2;
    private static final long RETRY_MS = 250;

    private final KafkaSettings settings;
    private final String worker;
    private final String life;
    private final Outbox outbox;
    private final OutboxReader reader;
    private final SentPositions positions;
    private final Consumer<WeirException> replaced;
    private final Thread thread;
    private KafkaProducer<byte[], byte[]> producer;
    private final long backlogEnd;
    private boolean claimed;
    private InDoubt inDoubt;
    private Set<String> queries = Set.of();
    private volatile long sent = -1;
    private volatile boolean closed;

    /** What a transaction has that is being committed. */
    private record InDoubt(long next, int entries, int records) {}

    /**
     * @param life of this process, as its heartbeats say
     * @param replaced is told when another process has taken the place
     */
    public OutboxSender(
            KafkaSettings settings,
            String worker,
            String life,
            Outbox outbox,
            Consumer<WeirException> replaced) {
        this.settings = settings;
        this.worker = worker;
        this.life = life;
        this.outbox = outbox;
        this.reader = outbox.reader();
        this.backlogEnd = outbox.opened();
        this.positions = new SentPositions(settings);
        this.replaced = replaced;
        this.thread = new Thread(this::run, "weir-outbox-" + worker);
        thread.setDaemon(true);
    }

    public OutboxSender start() {
        thread.start();
        return this;
    }

    /** Number of the next entry to send; -1 before Kafka was reached. */
    public long sent() {
        return sent;
    }

    private void run() {
        try {
            while (!closed) {
                tryToSend();
            }
        } catch (Replaced e) {
            replaced.accept(
                    new WeirException(
                            ErrorCode.INVALID_OPTION,
                            "another worker " + worker + " has taken this one's place",
                            "each worker of a cluster needs a --node-id of its own"));
        } finally {
            discard();
            tellRest();
            reader.close();
        }
    }

    /** What is left, for the next life of this worker. */
    private void tellRest() {
        long from = sent < 0 ? backlogEnd : sent;
        reader.seek(from);
        long first = reader.next().map(OutboxReader.Entry::number).orElse(outbox.next());
        outbox.stage().lost(DROPPED).add(first - from);
        outbox.stage().excluded("kept_on_disk").add(outbox.next() - first);
    }

    private void tryToSend() throws Replaced {
        try {
            connect();
            while (!closed) {
                if (step() == 0) {
                    pause(IDLE_MS);
                }
            }
        } catch (AuthenticationException | AuthorizationException e) {
            replaced.accept(KafkaCalls.failure(settings, "results cannot be sent", e));
            closed = true;
        } catch (KafkaException e) {
            discard();
            if (String.valueOf(e.getMessage()).contains("not present in metadata")) {
                createTopics();
            }
            pause(RETRY_MS);
        }
    }

    /** Somebody has deleted a topic: it must not keep all other rows back. */
    private void createTopics() {
        try {
            queries.forEach(query -> Topics.ensureResults(settings, query));
        } catch (WeirException e) {
            return; // Kafka is away, after all
        }
    }

    private void connect() throws Replaced {
        if (claimed) {
            check(positions.read(worker));
        }
        KafkaProducer<byte[], byte[]> opened = open();
        opened.initTransactions();
        Optional<OutboxPosition> position = positions.read(worker);
        long next =
                position.filter(p -> p.getOutbox().equals(outbox.id()))
                        .map(OutboxPosition::getNext)
                        .orElse(0L);
        if (claimed) {
            check(position);
            doubtOver(next);
        } else {
            next = claim(opened, next, position);
        }
        reader.seek(next);
        sent = next;
    }

    /** A commit whose answer was lost may have come to pass: then its entries were sent. */
    private void doubtOver(long next) {
        if (inDoubt != null && inDoubt.next() == next) {
            account(next, inDoubt.entries(), inDoubt.records());
        }
        inDoubt = null;
    }

    /**
     * Returns the number to begin with. Where another outbox was used since this one, what is left
     * in it may be of a process that was replaced: then none of it is sent.
     */
    private long claim(
            KafkaProducer<byte[], byte[]> opened, long known, Optional<OutboxPosition> position) {
        Optional<OutboxPosition> other = position.filter(p -> !p.getOutbox().equals(outbox.id()));
        long from = other.isPresent() ? putAside() : known;
        long next = other.isPresent() ? Math.max(from, backlogEnd) : known;
        opened.beginTransaction();
        other.ifPresent(
                p -> {
                    String key = SentPositions.aside(worker, p.getOutbox());
                    var unused =
                            opened.send(
                                    SentPositions.record(
                                            key, p.getOutbox(), p.getLife(), p.getNext()));
                });
        var unused = opened.send(SentPositions.record(worker, outbox.id(), life, next));
        opened.commitTransaction();
        claimed = true;
        outbox.offerAgain(Math.max(0, backlogEnd - from));
        outbox.stage().lost(LEFT_BEHIND).add(next - from);
        return next;
    }

    /** Up to where this outbox was sent before the worker went on with another. */
    private long putAside() {
        return positions
                .read(SentPositions.aside(worker, outbox.id()))
                .map(OutboxPosition::getNext)
                .orElse(0L);
    }

    private void check(Optional<OutboxPosition> position) throws Replaced {
        if (position.isPresent() && !position.get().getLife().equals(life)) {
            throw new Replaced();
        }
    }

    private KafkaProducer<byte[], byte[]> open() {
        var config = settings.client("weir-worker-" + worker);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "weir-worker-" + worker);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        return producer;
    }

    /** One transaction; returns how many entries it had. */
    private int step() {
        List<OutboxReader.Entry> entries = take();
        if (entries.isEmpty()) {
            return 0;
        }
        long next = entries.get(entries.size() - 1).number() + 1;
        producer.beginTransaction();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        queries = new HashSet<>();
        entries.forEach(entry -> record(entry).ifPresent(records::add));
        records.add(SentPositions.record(worker, outbox.id(), life, next));
        for (ProducerRecord<byte[], byte[]> record : records) {
            var unused = producer.send(record); // the commit throws what befalls any of them
        }
        inDoubt = new InDoubt(next, entries.size(), records.size() - 1);
        producer.commitTransaction();
        inDoubt = null;
        account(next, entries.size(), records.size() - 1);
        sent = next;
        outbox.release(next);
        return entries.size();
    }

    private void account(long next, int entries, int records) {
        Stage stage = outbox.stage();
        stage.processed().add(records);
        stage.lost("unreadable").add(entries - records);
        stage.lost(DROPPED).add(next - sent - entries);
    }

    private List<OutboxReader.Entry> take() {
        List<OutboxReader.Entry> entries = new ArrayList<>();
        int bytes = 0;
        while (entries.size() < MOST_ROWS && bytes < MOST_BYTES) {
            Optional<OutboxReader.Entry> entry = reader.next();
            if (entry.isEmpty()) {
                break;
            }
            entries.add(entry.get());
            bytes += entry.get().bytes().length;
        }
        return entries;
    }

    private Optional<ProducerRecord<byte[], byte[]>> record(OutboxReader.Entry entry) {
        try {
            OutboxRow row = OutboxRow.parseFrom(entry.bytes());
            queries.add(row.getQuery());
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(
                            Topics.results(row.getQuery()),
                            0,
                            RecordTime.ms(row, row.getMadeMs()),
                            row.hasKey() ? row.getKey().toByteArray() : null,
                            row.getValue().toByteArray());
            ResultHeaders.write(record.headers(), row, worker, entry.number());
            return Optional.of(record);
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
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

    /** Waits until all that is in the outbox was sent; returns whether it was, in time. */
    public boolean awaitSent(long timeoutMs) throws InterruptedException {
        long deadline = System.currentTimeMillis() + timeoutMs;
        while (sent < outbox.next()) {
            if (System.currentTimeMillis() > deadline || !thread.isAlive()) {
                return false;
            }
            Thread.sleep(IDLE_MS);
        }
        return true;
    }

    /** Ends the thread; what was not sent stays in the outbox, and is told to the account. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(MAX_BLOCK_MS * 2L);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
