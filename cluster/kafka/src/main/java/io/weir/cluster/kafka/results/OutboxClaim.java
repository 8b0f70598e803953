package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.Commit;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.wire.OutboxPosition;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim of a process on the position of an outbox in Kafka. The process claims it once, and
 * then finds out whether another has done so after it. The sender's thread, except the results of
 * the claim and {@link #giveUp}.
 */
final class OutboxClaim {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxClaim.class);

    private final String name;
    private final String life;
    private final String title;
    private final Outbox outbox;
    private final SentPositions positions;
    private final long backlogEnd;

    /** None before it is this process' own: it has not sent one from there on. */
    private final long firstOwn;

    private boolean made;
    private String foundLife = "";
    private volatile long foundNs = Long.MIN_VALUE;
    private volatile boolean comesBack;

    /**
     * @param name of the outbox, for good
     * @param life of this process
     * @param title of the outbox, for people
     * @param outbox before this process appends to it
     */
    OutboxClaim(String name, String life, String title, Outbox outbox, SentPositions positions) {
        this.name = name;
        this.life = life;
        this.title = title;
        this.outbox = outbox;
        this.positions = positions;
        this.backlogEnd = outbox.opened();
        this.firstOwn = outbox.next();
    }

    /**
     * The entries that an earlier process has left, and that nobody sends.
     *
     * @param next the number to begin with
     */
    record Begin(long from, long next) {}

    boolean isMade() {
        return made;
    }

    /** Fails if another process has claimed it since, as far as that can be seen now. */
    void check() throws SenderReplacedException {
        if (made) {
            check(positions.read(name));
        }
    }

    void check(Optional<OutboxPosition> position) throws SenderReplacedException {
        // The found process is no successor: this one's claim cannot be seen yet.
        String now = position.map(OutboxPosition::getLife).orElse(foundLife);
        if (!now.equals(life) && !now.equals(foundLife)) {
            throw new SenderReplacedException();
        }
    }

    /** Returns the latest position. No other process of the name writes any more. */
    Optional<OutboxPosition> latest() {
        return positions.readLatest(name);
    }

    /** Returns the number up to which this outbox was sent; 0 if another is in use. */
    long next(Optional<OutboxPosition> position) {
        return position.filter(p -> p.getOutbox().equals(outbox.id()))
                .map(OutboxPosition::getNext)
                .orElse(0L);
    }

    /**
     * Claims it. If another outbox was used since this one, the entries here may be from a process
     * that was replaced. Then none of them is sent. If the machine has lost power, the outbox may
     * lack its last entries, which Kafka has. New ones get their numbers, and are sent.
     */
    Begin make(
            KafkaProducer<byte[], byte[]> opened,
            Optional<OutboxPosition> position,
            OptionalLong passedNs,
            int timeoutMs) {
        foundLife = position.map(OutboxPosition::getLife).orElse("");
        foundNs = passedNs.orElse(Long.MIN_VALUE);
        Optional<OutboxPosition> other = position.filter(p -> !p.getOutbox().equals(outbox.id()));
        comesBack = other.isPresent();
        long before = other.isPresent() ? putAside() : next(position);
        long next = Math.min(other.isPresent() ? Math.max(before, backlogEnd) : before, firstOwn);
        tellLost(before - next);
        opened.beginTransaction();
        if (other.isPresent()) {
            var unused = opened.send(SentPositions.aside(name, other.get(), passedNs));
        }
        var last = opened.send(record(next, passedNs));
        Commit.of(opened, last, timeoutMs);
        made = true;
        return new Begin(Math.min(before, next), next);
    }

    private void tellLost(long entries) {
        if (entries > 0) {
            LOG.warn(
                    "{}: the disk has lost its last {} entries, which Kafka has: new ones are sent",
                    title,
                    entries);
        }
    }

    /**
     * Returns the position up to which this outbox was sent before the worker changed to another.
     */
    private long putAside() {
        return positions
                .read(SentPositions.aside(name, outbox.id()))
                .map(OutboxPosition::getNext)
                .orElse(0L);
    }

    /** Makes the record of a position of this process. */
    ProducerRecord<byte[], byte[]> record(long next, OptionalLong passedNs) {
        return SentPositions.record(name, outbox.id(), life, next, passedNs);
    }

    static OptionalLong passed(Optional<OutboxPosition> position) {
        return position.filter(OutboxPosition::hasPassedNs)
                .map(known -> OptionalLong.of(known.getPassedNs()))
                .orElse(OptionalLong.empty());
    }

    /** Returns the event time up to which earlier processes had sent all; known once it is made. */
    long foundNs() {
        return foundNs;
    }

    /** Returns whether an earlier process used another outbox after this one; known likewise. */
    boolean comesBack() {
        return comesBack;
    }

    /** Ends a wait for Kafka: the waiting call throws. Any thread. */
    void giveUp() {
        positions.giveUp();
    }
}
