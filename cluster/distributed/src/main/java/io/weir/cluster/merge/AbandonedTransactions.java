package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.ring.ThreadEnd;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/**
 * Ends the transactions that killed instances left open, once Kafka has removed those from the
 * group. The new owners of their shards can read only up to the begin of such a transaction. Kafka
 * itself gives it up 10 to 20 s later. An instance outside the group can commit nothing, so nothing
 * is lost. A frozen instance cannot write to its transaction any more. If Kafka does not allow it,
 * nothing changes. A thread of its own.
 */
final class AbandonedTransactions implements AutoCloseable {
    private static final long EVERY_MS = 250;
    private static final int MOST_IN_VAIN = 40;

    /** A Kafka call that was interrupted ends sooner. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KafkaSettings kafka;
    private final String client;
    private final BooleanSupplier moving;
    private final Semaphore asked = new Semaphore(0);
    private final Thread thread;

    /**
     * @param client the prefix of the names of this instance's clients
     * @param moving whether it has shards now that it does not run yet
     */
    AbandonedTransactions(KafkaSettings kafka, String client, BooleanSupplier moving) {
        this.kafka = kafka;
        this.client = client;
        this.moving = moving;
        this.thread = new Thread(this::run, client + "-left");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Is told that shards move: any thread; it looks at once. */
    void look() {
        asked.release();
    }

    private void run() {
        try {
            while (true) {
                asked.acquire();
                asked.drainPermits();
                lookUntilSettled();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Looks once more when all run, because a killed instance may be in the group until shortly
     * before.
     */
    private void lookUntilSettled() throws InterruptedException {
        Admin admin = KafkaCalls.admin(kafka, client + "-left");
        try {
            int inVain = 0;
            while (inVain < MOST_IN_VAIN) {
                boolean last = !moving.getAsBoolean();
                if (isEnded(admin) && last) {
                    return;
                }
                inVain += last ? 1 : 0;
                Thread.sleep(EVERY_MS);
            }
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private boolean isEnded(Admin admin) throws InterruptedException {
        try {
            Set<String> open = open(admin);
            // The group is read after the transactions: a member that has begun one by then was in
            // the group before.
            Set<String> there = threads(admin);
            if (there.stream().noneMatch(one -> MergeClients.isThreadOf(client, one))) {
                return false;
            }
            Set<String> left = left(open, there);
            if (!left.isEmpty()) {
                KafkaCalls.await(admin.fenceProducers(left).all());
            }
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false; // Kafka is away, or does not allow it
        }
    }

    private static Set<String> open(Admin admin) throws Exception {
        ListTransactionsOptions ongoing =
                new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
        return KafkaCalls.await(admin.listTransactions(ongoing).all()).stream()
                .map(TransactionListing::transactionalId)
                .collect(Collectors.toSet());
    }

    private static Set<String> threads(Admin admin) throws Exception {
        String group = MergeService.APPLICATION;
        return KafkaCalls.await(admin.describeConsumerGroups(List.of(group)).all())
                .get(group)
                .members()
                .stream()
                .map(member -> MergeClients.thread(member.clientId()))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /** Returns the open transactions of merge threads that are gone. */
    static Set<String> left(Collection<String> open, Collection<String> there) {
        return open.stream()
                .filter(MergeClients::isThread)
                .filter(thread -> !there.contains(thread))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        thread.interrupt();
        ThreadEnd.await(thread, PATIENCE);
    }
}
