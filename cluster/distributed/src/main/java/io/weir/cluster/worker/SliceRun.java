package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a slice that this process has, on a thread of its own. A failed slice is tried again after
 * a pause, by a worker that continues from the sent position. While Kafka is away this repeats
 * without limit. Otherwise the process gives all its slices up after {@link #TRIES} failures. Any
 * thread.
 */
final class SliceRun {
    private static final Logger LOG = LoggerFactory.getLogger(SliceRun.class);

    /** Failures in a row. */
    static final int TRIES = 3;

    private final String title;
    private final Supplier<Worker> workers;
    private final Pauses pauses;
    private final Owner owner;
    private final Thread thread;
    private final CountDownLatch gone = new CountDownLatch(1);
    private volatile Worker worker;
    private volatile boolean ended;

    /** The thread's own. */
    private Duration pause;

    private int failed;
    private String told = "";

    /**
     * The pauses of a slice that has failed, twice as long each time.
     *
     * @param first longer than the group's session: a process whose slice has moved knows it by
     *     then
     */
    record Pauses(Duration first, Duration most) {
        static final Pauses DEFAULT = new Pauses(Duration.ofSeconds(10), Duration.ofMinutes(1));

        Duration after(Duration pause) {
            Duration twice = pause.multipliedBy(2);
            return twice.compareTo(most) < 0 ? twice : most;
        }
    }

    /** The owner of the slice. The slice's thread calls it. */
    interface Owner {
        /** Takes the account of the packets of one try. */
        void counted(List<Stage.Snapshot> account);

        /** Is told that this process cannot count the slice. */
        void failed(WeirException cause);
    }

    /**
     * @param node the process that has the slice, for people
     * @param workers makes one for each try, with no state of the one before
     */
    SliceRun(String node, int slice, Supplier<Worker> workers, Pauses pauses, Owner owner) {
        this.title = "worker " + node + ": slice " + slice;
        this.workers = workers;
        this.pauses = pauses;
        this.pause = pauses.first();
        this.owner = owner;
        this.thread = new Thread(this::run, "weir-slice-" + slice);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            Optional<WeirException> failure = tried();
            while (failure.isPresent() && isTriedAgain(failure.get())) {
                failure = tried();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            owner.failed(new WeirException(ErrorCode.INTERNAL, e.toString()));
        } finally {
            ended = true;
        }
    }

    /** Returns why it was not counted; empty if it was, or if it has moved. */
    private Optional<WeirException> tried() {
        Stopwatch run = Stopwatch.started();
        try {
            Optional<Worker> now = begin();
            if (now.isPresent()) {
                count(now.get());
            }
            return Optional.empty();
        } catch (WeirException e) {
            if (run.ns() > pauses.most().toNanos()) {
                failed = 0;
                pause = pauses.first();
                told = "";
            }
            return Optional.of(e);
        }
    }

    private synchronized Optional<Worker> begin() {
        if (gone.getCount() > 0) {
            worker = workers.get();
            return Optional.of(worker);
        }
        return Optional.empty();
    }

    private void count(Worker now) {
        try {
            var unused = now.run();
        } finally {
            owner.counted(now.account().snapshot());
        }
    }

    /** Returns when the pause is over, or the slice has moved. */
    private boolean isTriedAgain(WeirException failure) throws InterruptedException {
        if (gone.getCount() == 0) {
            return false;
        }
        // While Kafka is away, another process could not count it either.
        failed += KafkaCalls.isAway(failure) ? 0 : 1;
        if (failed >= TRIES) {
            owner.failed(failure);
            return false;
        }
        if (!failure.getMessage().equals(told)) {
            told = failure.getMessage();
            LOG.warn("{} cannot be counted here, and is tried again: {}", title, told);
        }
        long pausedMs = pause.toMillis();
        pause = pauses.after(pause);
        return !gone.await(pausedMs, TimeUnit.MILLISECONDS);
    }

    /** Returns the worker that counts it now, or has counted it last. */
    Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    /** Returns whether it was counted to its end, or given up. */
    boolean hasEnded() {
        return ended;
    }

    /** Gives the slice to another process: nothing more is sent. Idempotent. */
    synchronized void abandon() {
        gone.countDown();
        if (worker != null) {
            worker.abandon();
        }
    }

    void awaitEnd() {
        ThreadEnd.await(thread);
    }
}
