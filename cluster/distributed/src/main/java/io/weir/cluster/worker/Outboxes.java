package io.weir.cluster.worker;

import io.weir.cluster.counts.PacketLedger;
import io.weir.cluster.disk.DiskSpace;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.kafka.results.OutboxEntries;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.kafka.results.ResultEntries;
import io.weir.cluster.merge.MergeMessageEntries;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.outbox.OutboxTrouble;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outboxes of a worker, on its disk and on their way to Kafka. Rows and windows for the merge
 * have an outbox each, so that neither crowds out the other.
 */
final class Outboxes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outboxes.class);
    private static final long MIB = 1L << 20;
    private static final int LANES = 2;

    private final Lane rows;
    private final Lane partials;
    private final Conditions conditions;
    private final LossLedger told;
    private final FiredRows made;
    private final SentRowsTime passed = new SentRowsTime();
    private final String worker;
    private final Clock clock;
    private final Account account;
    private final Path ledgerFile;
    private PacketLedger ledger = PacketLedger.none();

    /** An outbox and its sender. */
    private static final class Lane implements AutoCloseable {
        private final Stage stage;
        private final Outbox outbox;
        private final OutboxSender sender;

        Lane(Outbox outbox, OutboxSender sender) {
            this.stage = outbox.stage();
            this.outbox = outbox;
            this.sender = sender;
        }

        long waiting() {
            return Math.max(0, outbox.waiting(Math.max(0, sender.sent())));
        }

        /** The reason why nothing is sent, or else why nothing is kept. */
        String trouble() {
            String sending = sender.trouble();
            return sending.isEmpty()
                    ? outbox.fault().map(fault -> "lost: " + fault.reason()).orElse("")
                    : sending;
        }

        @Override
        public void close() {
            outbox.end();
            sender.close();
            outbox.close();
        }
    }

    /**
     * @param life id of this process
     * @param failed is told when another process has taken the worker's place
     */
    Outboxes(
            WorkerSettings settings,
            KafkaSettings kafka,
            String life,
            Account account,
            Consumer<WeirException> failed) {
        this.worker = settings.name();
        this.clock = kafka.clock();
        this.account = account;
        this.ledgerFile = PacketLedger.in(settings.outbox());
        Opening opening = new Opening(settings, kafka, life, account, failed);
        rows = opening.open("rows", worker, settings.outbox(), new ResultEntries(kafka, worker));
        try {
            conditions = new Conditions(rows.outbox.note("conditions"));
            told = new LossLedger(rows.outbox.note("told"));
            made = new FiredRows(rows.outbox, conditions, told);
            partials =
                    opening.open(
                            "partials",
                            settings.partialsName(),
                            settings.outbox().resolve("partials"),
                            new MergeMessageEntries(kafka, worker));
        } catch (RuntimeException e) {
            rows.close();
            throw e;
        }
        shortage(settings).ifPresent(why -> LOG.warn("worker {}: {}", worker, why));
    }

    /** Says at once that a disk may not hold what is asked of it. */
    private Optional<String> shortage(WorkerSettings settings) {
        long each = settings.outboxBytes();
        long used = rows.outbox.bytes() + partials.outbox.bytes();
        String size = "--outbox-size " + each / MIB + " is of rows and of windows each: ";
        return DiskSpace.shortage(settings.outbox(), LANES * each, used)
                .map(why -> size + why + "; what finds no room there is lost, and counted");
    }

    private record Opening(
            WorkerSettings settings,
            KafkaSettings kafka,
            String life,
            Account account,
            Consumer<WeirException> failed) {
        Lane open(String what, String name, Path directory, OutboxEntries entries) {
            Stage stage = account.stage("outbox " + what);
            Patience patience = settings.patience(kafka.clock());
            Outbox outbox = new Outbox(directory, settings.outboxBytes(), stage, patience);
            outbox.onTrouble(how -> LOG.warn("{} {}", entries.title(), said(how, outbox)));
            OutboxSender sender = new OutboxSender(kafka, name, life, outbox, entries, failed);
            return new Lane(outbox, sender.start());
        }

        private static String said(OutboxTrouble how, Outbox outbox) {
            boolean asks = how == OutboxTrouble.DISK_FAILED;
            return asks ? how + " (" + outbox.diskWords() + ")" : how.toString();
        }
    }

    /** Returns the clock of the rows. */
    Clock clock() {
        return clock;
    }

    Outbox rows() {
        return rows.outbox;
    }

    /** Returns the writer of rows. */
    FiredRows made() {
        return made;
    }

    /**
     * Returns the packets' ledger, beside the outbox of rows. No other process uses it meanwhile.
     */
    PacketLedger ledger() {
        try {
            PacketLedger opened = PacketLedger.open(ledgerFile);
            ledger = opened;
            if (!opened.isNamed()) {
                rows.outbox.onceWritable(opened::name);
            }
        } catch (WeirException unwritable) {
            LOG.warn(
                    "worker {}: {}: if this process is killed, nobody knows what it had read",
                    worker,
                    unwritable.getMessage());
        }
        return ledger;
    }

    /** Returns the state of conditions. */
    Conditions conditions() {
        return conditions;
    }

    /** Returns the counts of packets in rows. */
    LossLedger told() {
        return told;
    }

    Outbox partials() {
        return partials.outbox;
    }

    long rowsWaiting() {
        return rows.waiting();
    }

    long partialsWaiting() {
        return partials.waiting();
    }

    /**
     * Waits until this process has the place of its predecessors.
     *
     * @return up to which event time they have sent all; empty when it was told to give up
     */
    OptionalLong awaitPlace(BooleanSupplier givenUp) throws InterruptedException {
        while (partials.sender.sent() < 0) {
            if (givenUp.getAsBoolean()) {
                return OptionalLong.empty();
            }
            Thread.sleep(1);
        }
        return OptionalLong.of(partials.sender.foundNs());
    }

    /**
     * Notes that the first packet comes. Conditions go on as the last process has left them. Rows
     * report packets that it had read and that are in no row, unless it used another outbox.
     *
     * @param mostMs how long packets may wait for Kafka's answer; after that it is assumed
     * @param lacks takes queries, and how many packets they lack
     */
    void begin(long firstNs, long mostMs, BiConsumer<String, Long> lacks)
            throws InterruptedException {
        Deadline deadline = Deadline.afterMs(mostMs);
        while (rows.sender.sent() < 0 && !deadline.isOver()) {
            Thread.sleep(1);
        }
        boolean isLatest = !rows.sender.comesBack();
        conditions.begin(firstNs, isLatest);
        long lost = told.begin(isLatest, lacks);
        if (lost > 0) {
            Stage earlier = account.stage(Pages.EARLIER_PROCESSES);
            earlier.offered().add(lost);
            earlier.lost("killed").add(lost);
            LOG.warn(
                    "worker {}: a process of this worker was killed before: {} packets that it had"
                            + " read are in no row of a query at least",
                    worker,
                    lost);
        }
    }

    /**
     * Waits until all was sent, as long as some of it is sent within that time. Returns whether it
     * was.
     *
     * @param goesOn whether to wait on
     */
    boolean awaitSent(long quietMs, BooleanSupplier goesOn) throws InterruptedException {
        return partials.sender.awaitSent(quietMs, goesOn) && rows.sender.awaitSent(quietMs, goesOn);
    }

    /** Waits for the windows for the merge. Kafka takes later what it did not take in time. */
    void awaitPartialsSent(long timeoutMs) throws InterruptedException {
        if (!partials.sender.awaitSent(timeoutMs)) {
            LOG.warn(
                    "worker {}: Kafka has not taken yet that this worker begins: until then merged"
                            + " windows may call themselves complete without it, and a later one"
                            + " tells what they lack as lost",
                    worker);
        }
    }

    /** Notes that all rows of windows that end by then are in the outbox. */
    void rowsPassed(long timeNs) {
        passed.passed(timeNs, rows.outbox.next());
    }

    /** Reports their state. */
    void tell(Heartbeat.Builder beat) {
        Stage.Snapshot sent = rows.stage.snapshot();
        long triggers = made.triggers() + rows.sender.leftTriggers();
        beat.setRows(Math.max(0, sent.offered() - triggers))
                .setRowsSent(sent.processed())
                .setRowsLost(sent.lostInAll())
                .setRowsWaiting(rows.waiting())
                .setPartialsWaiting(partials.waiting())
                .setPartialsLost(partials.stage.snapshot().lostInAll())
                .setRowsTrouble(rows.trouble())
                .setPartialsTrouble(partials.trouble());
        passed.sent(rows.sender.sent()).ifPresent(beat::setRowsPassedNs);
        partials.sender.passedNs().ifPresent(beat::setPartialsPassedNs);
    }

    /** Closes. Unsent entries stay on the disk. */
    @Override
    public void close() {
        partials.close();
        if (rows.outbox.end()) {
            ledger.close();
        }
        rows.close();
    }
}
